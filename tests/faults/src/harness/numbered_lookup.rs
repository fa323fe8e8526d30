//! Lookups by number: the address of each, and its outcome, as its client saw it.

use voight_domain::vocabulary::EoaAddress;

/// Outcome of a lookup, as its client saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LookupResult {
    /// The response named the row of the lookup.
    Answered(AnsweredLookup),
    /// The server rejected the lookup temporarily, with `Retry-After`.
    Rejected,
    /// The response violates the API.
    Invalid(String),
    /// The client received no response.
    Unknown,
}

/// Row of a lookup, as in the response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredLookup {
    /// Sequence number.
    pub seq: u64,
    /// Head of the chain after the row.
    pub head: String,
}

/// Returns the address of the lookup with this number.
pub fn address_of(number: u64) -> EoaAddress {
    let mut bytes = [0; 20];
    for (position, byte) in bytes.iter_mut().rev().zip(number.to_le_bytes()) {
        *position = byte;
    }
    EoaAddress::from_bytes(bytes)
}

/// Returns the number of the lookup of this address.
pub fn lookup_number(address: EoaAddress) -> u64 {
    address
        .as_bytes()
        .iter()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}
