//! Wallet ownership: a signature of the wallet, or a trusted browser that proves it later.
//!
//! The wallet signs a message derived from the challenge, and the browser receives a token. Nothing is stored on the
//! server: the message is a function of the check's challenge, and a trusted browser presents a sealed token together
//! with a signature of the key that only this browser has.

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
