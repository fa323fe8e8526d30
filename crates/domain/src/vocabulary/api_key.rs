//! Secret text of an API key.

use super::Environment;
use std::fmt;
use std::str::FromStr;
use zeroize::Zeroizing;

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX: &str = "vgt_";
const RANDOM: usize = 32;
const CHECKSUM: usize = 6;

/// API key: `vgt_live_` or `vgt_test_`, 32 random base62 characters, and 6 base62 characters of a CRC-32 over
/// everything before them. The checksum detects typing errors and false alarms of secret scanners without a query of
/// the store; it is not a protection.
///
/// ```
/// use voight_domain::{ApiKey, Environment};
///
/// let key = ApiKey::generate(Environment::Live, &[1; 64]).expect("all bytes are usable");
/// assert_eq!(key.hint(), "vgt_live_1111");
///
/// let mistyped = key.expose().replacen("1111", "1112", 1);
/// assert!(mistyped.parse::<ApiKey>().is_err());
/// ```
#[derive(Clone)]
pub struct ApiKey {
    text: Zeroizing<String>,
    environment: Environment,
}

/// Error returned for a text that is not an API key. Callers receive only "unauthorized".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an API key is vgt_live_ or vgt_test_ followed by 38 letters and digits")]
pub struct ApiKeyError;

impl ApiKey {
    /// Generates a key from random bytes; `None` if too few of them are usable.
    ///
    /// Only bytes in a range that keeps the characters unbiased are usable. The caller draws again after `None`.
    pub fn generate(environment: Environment, random: &[u8; 64]) -> Option<Self> {
        // 248 is the largest multiple of 62 below 256: larger bytes would bias the result towards the first characters.
        let characters: String = random
            .iter()
            .filter(|b| **b < 248)
            .take(RANDOM)
            .map(|b| char::from(BASE62[usize::from(*b % 62)]))
            .collect();
        if characters.len() < RANDOM {
            return None;
        }
        let mut text = Zeroizing::new(format!("{PREFIX}{}_{characters}", environment.label()));
        let checksum = checksum(&text);
        text.push_str(&checksum);
        Some(Self { text, environment })
    }

    /// Returns the complete secret. Callers must show it once, store only its digest, and never log it.
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// Returns the environment: live or sandbox.
    pub const fn environment(&self) -> Environment {
        self.environment
    }

    /// Returns the printable hint: the prefix and the first four random characters.
    pub fn hint(&self) -> String {
        self.text.chars().take(PREFIX.len() + 5 + 4).collect()
    }
}

fn checksum(body: &str) -> String {
    let mut value = crc32fast::hash(body.as_bytes());
    let mut characters = [b'0'; CHECKSUM];
    for slot in characters.iter_mut().rev() {
        *slot = BASE62[(value % 62) as usize];
        value /= 62;
    }
    characters.into_iter().map(char::from).collect()
}

impl FromStr for ApiKey {
    type Err = ApiKeyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let suffix = text.strip_prefix(PREFIX).ok_or(ApiKeyError)?;
        let (environment, suffix) = [Environment::Live, Environment::Sandbox]
            .into_iter()
            .find_map(|e| Some((e, suffix.strip_prefix(e.label())?.strip_prefix('_')?)))
            .ok_or(ApiKeyError)?;
        if suffix.len() != RANDOM + CHECKSUM || !suffix.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Err(ApiKeyError);
        }
        let (body, given) = text.split_at(text.len() - CHECKSUM);
        if checksum(body) != given {
            return Err(ApiKeyError);
        }
        Ok(Self {
            text: Zeroizing::new(text.to_owned()),
            environment,
        })
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ApiKey({}…)", self.hint())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn api_keys_round_trip(random in proptest::array::uniform32(any::<u8>())) {
            let mut wide = [0; 64];
            wide[..32].copy_from_slice(&random);
            for environment in [Environment::Live, Environment::Sandbox] {
                let key = ApiKey::generate(environment, &wide).unwrap();
                let parsed_key: ApiKey = key.expose().parse().unwrap();
                prop_assert_eq!(parsed_key.expose(), key.expose());
                prop_assert_eq!(parsed_key.environment(), environment);
                prop_assert_eq!(key.expose().len(), 47);
            }
        }

        #[test]
        fn changed_character_is_rejected(place in 9_usize..47, with in 0_usize..62) {
            let key = ApiKey::generate(Environment::Live, &[7; 64]).unwrap();
            let mut bytes = key.expose().as_bytes().to_vec();
            prop_assume!(bytes[place] != BASE62[with]);
            bytes[place] = BASE62[with];
            prop_assert!(String::from_utf8(bytes).unwrap().parse::<ApiKey>().is_err());
        }

        #[test]
        fn parser_never_panics(text: String) {
            let _ = text.parse::<ApiKey>();
            let _ = format!("vgt_live_{text}").parse::<ApiKey>();
        }
    }

    #[test]
    fn biased_bytes_need_another_draw() {
        assert!(ApiKey::generate(Environment::Live, &[255; 64]).is_none());
    }

    #[test]
    fn debug_prints_only_the_hint() {
        let key = ApiKey::generate(Environment::Sandbox, &[0; 64]).unwrap();
        assert_eq!(format!("{key:?}"), "ApiKey(vgt_test_0000…)");
    }
}
