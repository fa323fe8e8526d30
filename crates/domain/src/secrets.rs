//! Secrets derived from the pepper: digests, MACs and signing keys.

mod admin_token;
mod digest;
mod keyring;
mod mac_key;
mod pepper;
mod public_key;
mod signer;
mod signers;
mod user_secret;
mod webhook;

pub use admin_token::{AdminTokenText, AdminTokenTextError};
pub use digest::{AddressDigest, DigestKey, IdempotencyDigest, KeyDigest, NetworkHash};
pub use keyring::Secrets;
pub use pepper::{Pepper, PepperCommitment, PepperError};
pub use public_key::{PublicKey, PublicKeyError, PublicKeys};
pub use signer::{RETIREMENT_MARGIN, Signer, SigningKeyRotation};
pub use user_secret::{UserSecret, UserSecretDigest, UserSecretKind};
pub use webhook::{WebhookKeyPair, WebhookPublicKey, WebhookSecret};
