//! Proof of work: a small computation for every check, a larger one for a network that opens many.

use super::Challenge;
use crate::secrets::Secrets;
use sha2::{Digest, Sha256};

/// Proof of work of one check.
///
/// The solution is a decimal number `n` such that SHA-256 of `salt:n` starts with `difficulty_bits` zero bits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProofOfWork {
    /// 32 hexadecimal digits, unguessable before the check is opened.
    pub salt: String,
    /// The required number of leading zero bits.
    pub difficulty_bits: u8,
}

impl ProofOfWork {
    /// Returns the proof of work of a challenge.
    pub fn for_challenge(challenge: &Challenge, secrets: &Secrets) -> Self {
        let mac = secrets.token_mac("work", &challenge.check.to_bytes());
        Self {
            salt: data_encoding::HEXLOWER.encode(&mac[..16]),
            difficulty_bits: challenge.work_bits,
        }
    }

    /// Returns `true` if `solution` (1 to 20 decimal digits) solves the proof of work.
    pub fn is_solved_by(&self, solution: &str) -> bool {
        let decimal =
            (1..=20).contains(&solution.len()) && solution.bytes().all(|b| b.is_ascii_digit());
        decimal
            && leading_zero_bits(&Sha256::digest(format!("{}:{solution}", self.salt)))
                >= u32::from(self.difficulty_bits)
    }
}

/// Returns the number of zero bits before the first one bit.
pub fn leading_zero_bits(hash: &[u8]) -> u32 {
    let zero_bytes = hash.iter().take_while(|b| **b == 0).count();
    let partial_byte_bits = hash.get(zero_bytes).map_or(0, |b| b.leading_zeros());
    u32::try_from(zero_bytes)
        .unwrap_or(u32::MAX)
        .saturating_mul(8)
        .saturating_add(partial_byte_bits)
}

#[cfg(test)]
mod tests {
    use super::super::challenge::tests::{challenge, secrets};
    use super::*;

    #[test]
    fn solution_is_for_one_check() {
        let work = ProofOfWork::for_challenge(&challenge(), &secrets());
        let solution = (0..10_000_000_u64)
            .map(|n| n.to_string())
            .find(|n| work.is_solved_by(n))
            .unwrap();
        let mut other_challenge = challenge();
        other_challenge.check = crate::vocabulary::CheckId::from_bytes([7; 16]);
        assert!(!ProofOfWork::for_challenge(&other_challenge, &secrets()).is_solved_by(&solution));
        for bad in ["", "-1", "1e3", "0x1", "123456789012345678901"] {
            assert!(!work.is_solved_by(bad));
        }
    }

    #[test]
    fn leading_zero_bits_span_bytes() {
        assert_eq!(leading_zero_bits(&[0, 0x10, 0]), 11);
        assert_eq!(leading_zero_bits(&[0, 0]), 16);
        assert_eq!(leading_zero_bits(&[0x80]), 0);
    }
}
