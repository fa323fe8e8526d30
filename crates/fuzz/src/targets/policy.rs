//! What an operator says of rules and of addresses.

use std::collections::HashSet;
use std::str::from_utf8;
use voight::parsers;
use voight_detect::{DetectionPolicy, FIRST_CUSTOM_VERSION};

/// A policy: no rule weighs more than its cap, whatever is written; a refusal is one line.
pub fn policy(bytes: &[u8]) -> bool {
    match DetectionPolicy::read(bytes) {
        Ok(policy) => {
            assert!(policy.version() >= FIRST_CUSTOM_VERSION);
            for rule in policy.rules() {
                assert!((0..=rule.cap().as_milli()).contains(&rule.weight.as_milli()), "{} weighs too much", rule.name);
            }
            true
        }
        Err(error) => {
            let sentence = error.to_string();
            assert!(!sentence.is_empty() && !sentence.contains(char::is_control), "no sentence: {sentence:?}");
            false
        }
    }
}

/// A file of labels: each is of another address, and a refusal names the lines.
pub fn labels(bytes: &[u8]) -> bool {
    let Ok(text) = from_utf8(bytes) else { return false };
    match parsers::labels(text) {
        Ok(addresses) => {
            let distinct: HashSet<_> = addresses.iter().collect();
            assert!(!addresses.is_empty() && distinct.len() == addresses.len(), "an address has two labels");
            true
        }
        Err(wrong) => {
            assert!(!wrong.is_empty() && wrong.iter().all(|sentence| !sentence.contains('\n')), "{wrong:?}");
            false
        }
    }
}
