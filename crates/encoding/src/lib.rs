#![doc = include_str!("../README.md")]

mod admin_token;
mod audit;
mod byte_enum;
mod check;
mod check_counts;
mod client;
mod client_event;
mod context;
mod endpoint;
mod event;
mod evidence;
mod invoice;
mod key;
pub mod keyspace;
mod label;
mod ledger;
mod link;
mod period;
mod snapshot;
mod tombstone;
mod user;
mod verdict;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use byte_enum::ByteEnum;
pub use ledger::{decode_detail, encode_detail};
pub use link::LinkRecord;

use voight_domain::codec::DecodeError;

/// Version byte of every record. A later layout of a record gets a version byte of its own.
const VERSION: u8 = 1;

/// Value that is stored as bytes.
pub trait Encode: Sized {
    /// Returns the encoded value, which starts with a version byte.
    fn encode(&self) -> Vec<u8>;

    /// Decodes a value.
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError>;
}
