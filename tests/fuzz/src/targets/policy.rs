//! Parsers of an operator's policies and labels.

use std::collections::HashSet;
use std::str::from_utf8;
use voight::fuzz_entry_points;
use voight_detect::{DetectionPolicy, FIRST_CUSTOM_VERSION};

/// Parses a policy: no rule weighs more than its cap, and an error is one line.
pub fn policy(bytes: &[u8]) -> bool {
    match DetectionPolicy::read(bytes) {
        Ok(policy) => {
            assert!(policy.version() >= FIRST_CUSTOM_VERSION);
            for rule in policy.rules() {
                assert!(
                    (0..=rule.cap().as_milli()).contains(&rule.weight.as_milli()),
                    "the weight of {} exceeds its cap",
                    rule.name
                );
            }
            true
        }
        Err(error) => {
            let message = error.to_string();
            assert!(
                !message.is_empty() && !message.contains(char::is_control),
                "not a short line: {message:?}"
            );
            false
        }
    }
}

/// Parses a label file: each label has another address, and an error names the lines.
pub fn labels(bytes: &[u8]) -> bool {
    let Ok(text) = from_utf8(bytes) else {
        return false;
    };
    match fuzz_entry_points::labels(text) {
        Ok(addresses) => {
            let distinct: HashSet<_> = addresses.iter().collect();
            assert!(
                !addresses.is_empty() && distinct.len() == addresses.len(),
                "an address has two labels"
            );
            true
        }
        Err(wrong) => {
            assert!(
                !wrong.is_empty() && wrong.iter().all(|message| !message.contains('\n')),
                "{wrong:?}"
            );
            false
        }
    }
}
