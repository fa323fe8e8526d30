//! Errors in a document.

use std::fmt;

/// Member that violates the schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    path: String,
    expected: String,
}

impl SchemaError {
    /// Creates an error of the current value; [`inside`](Self::inside) adds the path to it.
    pub(super) fn new(should: impl Into<String>) -> Self {
        Self {
            path: String::new(),
            expected: should.into(),
        }
    }

    /// Prefixes the path with the object member `member` that holds the value.
    #[must_use]
    pub(super) fn inside(self, member: &str) -> Self {
        let path = match self.path.chars().next() {
            None => member.to_owned(),
            Some('[') => format!("{member}{}", self.path),
            Some(_) => format!("{member}.{}", self.path),
        };
        Self { path, ..self }
    }

    /// Prefixes the path with the list index `index` that holds the value.
    #[must_use]
    pub(super) fn at_index(self, index: usize) -> Self {
        self.inside(&format!("[{index}]"))
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() {
            write!(f, "the evidence {}", self.expected)
        } else {
            write!(f, "{}: {}", self.path, self.expected)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fault_names_the_member_path() {
        let fault = SchemaError::new("must be a number")
            .inside("w")
            .at_index(3)
            .inside("layout");
        assert_eq!(fault.to_string(), "layout[3].w: must be a number");
        assert_eq!(
            SchemaError::new("must be one JSON object").to_string(),
            "the evidence must be one JSON object"
        );
    }
}
