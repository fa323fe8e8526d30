//! Wallet ownership: a signature of the wallet, or a trusted browser that proves it later.
//!
//! The wallet signs a message derived from the challenge, and the browser receives a token. Nothing is stored on the
//! server: the message is a function of the check's challenge, and a trusted browser presents a sealed token together
//! with a signature of the key that only this browser has.

mod browser_key;
mod error;
mod message;
mod policy;
mod sign_in;
mod trusted_browser;
mod wallet;

pub use browser_key::BrowserKey;
pub use error::OwnershipError;
pub use message::SignRequest;
pub(crate) use policy::draw_sampling;
pub use policy::{Sampling, requires_signature};
pub use sign_in::SignInRequest;
pub use trusted_browser::{TRUSTED_BROWSER_TTL, TrustedBrowser};
pub use wallet::{WalletSignature, address_of};
