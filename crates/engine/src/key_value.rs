//! Key and value of one entry.

/// Key and value of one entry.
pub type KeyValue = (Vec<u8>, Vec<u8>);
