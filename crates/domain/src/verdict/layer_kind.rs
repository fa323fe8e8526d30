//! Kind of a layer.

/// Layer of a check: with or without proof of ownership.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LayerKind {
    /// Any visitor could have claimed the address.
    Unverified,
    /// The visitor owns the address, proven by a signature of its wallet or by the platform's backend.
    Owned,
}
