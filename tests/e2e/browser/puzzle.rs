//! Proof of work of a check, computed without a browser.

use serde_json::Value;
use sha2::{Digest, Sha256};

/// Returns the solution of a puzzle `{salt, bits}`.
pub(crate) fn solve(work: &Value) -> String {
    let salt = work["salt"].as_str().expect("a salt");
    let bits = work["bits"].as_u64().expect("a number of bits");
    let solves = |number: &u64| zero_bits(&Sha256::digest(format!("{salt}:{number}"))) >= bits;
    (0..u64::MAX)
        .find(solves)
        .expect("a puzzle has a solution")
        .to_string()
}

fn zero_bits(digest: &[u8]) -> u64 {
    let zeros = digest.iter().take_while(|byte| **byte == 0).count();
    let next = digest.get(zeros).map_or(0, |byte| byte.leading_zeros());
    zeros as u64 * 8 + u64::from(next)
}
