#![doc = include_str!("../README.md")]

mod admin_token;
mod audit;
mod check;
mod client;
mod code;
mod context;
mod event;
mod evidence;
mod invoice;
mod key;
mod label;
mod ledger;
mod link;
pub mod ordered;
mod period;
mod tombstone;
mod verdict;

#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

pub use code::ByteEnum;
pub use link::LinkRecord;

use voight_domain::codec::DecodeError;

/// The version byte of every layout so far.
const VERSION: u8 = 1;

/// A value that is kept as bytes.
pub trait Encode: Sized {
    /// Its bytes, a version byte in front.
    fn encode(&self) -> Vec<u8>;

    /// The value with these bytes.
    fn decode(bytes: &[u8]) -> Result<Self, DecodeError>;
}
