//! Whose check it is: the wallet signs a message of the check, and the browser that it signed in is remembered.
//!
//! Nothing is kept for it. The message is a function of the check's challenge, and what a remembered browser shows is a
//! sealed token beside the key that only this browser has.

mod ask;
mod error;
mod frame_key;
mod message;
mod remembered;
mod wallet;

pub(crate) use ask::is_sampled;
pub use ask::requires_signature;
pub use error::OwnershipError;
pub use frame_key::BrowserKey;
pub use message::SignRequest;
pub use remembered::{TRUSTED_BROWSER_TTL, TrustedBrowser};
pub use wallet::{WalletSignature, address_of};
