//! Everything that is derived from the pepper: key digests, challenge and session MACs, receipt signatures.

mod keyring;
mod pepper;
mod signer;

pub use keyring::{ClaimDigest, KeyDigest, NetworkHash, Secrets};
pub use pepper::{Pepper, PepperCommitment, PepperError};
pub use signer::{PublicKey, Signer};
