//! What a section has to say about one of its keys.

/// A sentence about a key: what is wrong with it, or worth knowing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    /// The key, or the table or element that it should be in, dotted.
    pub(super) key: String,
    /// The sentence; it names the key itself.
    pub(super) message: String,
}

impl Diagnostic {
    /// A sentence about `key`.
    pub(super) fn new(key: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self { key: key.into(), message: sentence.into() }
    }
}
