//! Signature over every byte of an export.

use super::{AuditError, Trailer};
use crate::secrets::{PublicKeys, Signer};

/// The JWS type of a seal.
pub const SEAL_TYPE: &str = "export+jwt";

/// Running digest of the lines of an export, written or read. It covers the fields that the chain does not: names,
/// contexts, times.
#[derive(Debug, Clone, Default)]
pub struct ExportSeal {
    hasher: blake3::Hasher,
    lines: u64,
}

impl ExportSeal {
    /// Adds one more line, without its line feed.
    pub fn add(&mut self, line: &str) {
        self.hasher.update(line.as_bytes()).update(b"\n");
        self.lines += 1;
    }

    /// Returns the trailer of these lines.
    pub fn close(&self, signer: &Signer) -> Trailer {
        Trailer {
            lines: self.lines,
            seal: signer.sign(SEAL_TYPE, &self.payload()),
        }
    }

    /// Passes if the trailer matches these lines and is signed by one of these keys.
    pub(super) fn verify(&self, trailer: &Trailer, keys: &PublicKeys) -> Result<(), AuditError> {
        if trailer.lines != self.lines {
            return Err(AuditError::LineCountMismatch {
                stated: trailer.lines,
                read: self.lines,
            });
        }
        match keys.verify(SEAL_TYPE, &trailer.seal) {
            None => Err(AuditError::Seal),
            Some(payload) if payload != self.payload() => Err(AuditError::Sealed),
            Some(_) => Ok(()),
        }
    }

    fn payload(&self) -> String {
        format!(
            r#"{{"lines":{},"blake3":"{}"}}"#,
            self.lines,
            self.hasher.finalize().to_hex()
        )
    }
}
