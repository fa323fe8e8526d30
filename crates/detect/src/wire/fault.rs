//! What is wrong with a document.

use std::fmt;

/// A member that is not as the schema wants it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    path: String,
    expected: String,
}

impl SchemaError {
    /// A fault of the value at hand; the way to it is added by [`inside`](Self::inside).
    pub(super) fn new(should: impl Into<String>) -> Self {
        Self { path: String::new(), expected: should.into() }
    }

    /// The same fault seen from the object that holds the value as `member`.
    #[must_use]
    pub(super) fn inside(self, member: &str) -> Self {
        let path = match self.path.chars().next() {
            None => member.to_owned(),
            Some('[') => format!("{member}{}", self.path),
            Some(_) => format!("{member}.{}", self.path),
        };
        Self { path, ..self }
    }

    /// The same fault seen from the list that holds the value at `index`.
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
    fn the_way_to_the_member_is_spelled_out() {
        let fault = SchemaError::new("must be a number").inside("w").at_index(3).inside("layout");
        assert_eq!(fault.to_string(), "layout[3].w: must be a number");
        assert_eq!(SchemaError::new("must be one JSON object").to_string(), "the evidence must be one JSON object");
    }
}
