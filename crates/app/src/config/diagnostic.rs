//! Diagnostic for one configuration key.

/// Problem or advisory about a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Diagnostic {
    /// Dotted key, or the table or element that should contain it.
    pub(super) key: String,
    /// Message, which names the key itself.
    pub(super) message: String,
}

impl Diagnostic {
    /// Creates a diagnostic about `key`.
    pub(super) fn new(key: impl Into<String>, sentence: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            message: sentence.into(),
        }
    }
}
