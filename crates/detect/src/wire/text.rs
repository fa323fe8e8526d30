//! Texts of a limited length.

use super::fault::Fault;
use super::node::{FromNode, Node};
use std::fmt;
use std::ops::Deref;

/// A text of at most `MAX` characters.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text<const MAX: usize>(String);

impl<const MAX: usize> Deref for Text<MAX> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<const MAX: usize> fmt::Display for Text<MAX> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<const MAX: usize> FromNode for Text<MAX> {
    fn from_node(node: Node) -> Result<Self, Fault> {
        match node {
            Node::Text(text) if text.chars().nth(MAX).is_none() => Ok(Self(text)),
            Node::Text(_) => Err(Fault::new(format!("must be at most {MAX} characters long"))),
            other => Err(other.instead_of("a text")),
        }
    }
}

/// Reads one of a few words.
pub(super) fn word<T: Copy>(node: &Node, words: &[(&str, T)]) -> Result<T, Fault> {
    let found = match node {
        Node::Text(text) => words.iter().find(|(word, _)| word == text).map(|(_, value)| *value),
        _ => None,
    };
    let names = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| Fault::new(format!("must be one of {}", names())))
}
