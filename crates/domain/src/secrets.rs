//! Everything that is derived from the pepper: key digests, challenge and session MACs, receipt signatures.

mod admin_token;
mod keyring;
mod mac_key;
mod pepper;
mod public_key;
mod signer;
mod signers;

pub use admin_token::{AdminTokenText, AdminTokenTextError};
pub use keyring::{AddressDigest, IdempotencyDigest, KeyDigest, NetworkHash, Secrets};
pub use pepper::{Pepper, PepperCommitment, PepperError};
pub use public_key::{PublicKey, PublicKeyError, PublicKeys};
pub use signer::{RETIREMENT_MARGIN, Signer, SigningKeyRotation};
