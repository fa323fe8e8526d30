//! Id of a context.

use super::ids::{lower, parse_lower, ulid_from};
use super::{ContextTitle, Timestamp};
use std::fmt;
use std::str::FromStr;

/// Id of a context: `<title>.<suffix>`, the suffix a ULID in lower case.
///
/// The id is public, because front ends contain it; therefore every use verifies that the key may use the context.
///
/// ```
/// use voight_domain::{ContextId, ContextTitle, Timestamp};
///
/// let title: ContextTitle = "spring_quest".parse()?;
/// let context = ContextId::new(&title, Timestamp::from_millis(1_700_000_000_000), [7; 10]);
/// assert_eq!(context.title(), "spring_quest");
/// assert_eq!(context.to_string().parse(), Ok(context));
/// # Ok::<(), voight_domain::vocabulary::TitleError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContextId(String);

/// Error returned for a text that is not a context id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a context id is <title>.<suffix>, as the registration returned it")]
pub struct ContextIdError;

impl ContextId {
    /// Creates a new id for a context with this title.
    pub fn new(title: &ContextTitle, at: Timestamp, entropy: [u8; 10]) -> Self {
        let mut buffer = [0; ulid::ULID_LEN];
        let suffix = lower(ulid_from(at, entropy), &mut buffer);
        Self(format!("{title}.{suffix}"))
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the title before the suffix.
    pub fn title(&self) -> &str {
        self.0.rsplit_once('.').map_or("", |(title, _)| title)
    }
}

impl FromStr for ContextId {
    type Err = ContextIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (title, suffix) = text.split_once('.').ok_or(ContextIdError)?;
        title.parse::<ContextTitle>().map_err(|_| ContextIdError)?;
        parse_lower(suffix).map_err(|_| ContextIdError)?;
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for ContextId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn context_ids_round_trip(title in "[A-Za-z0-9]([A-Za-z0-9_-]{0,62}[A-Za-z0-9])?", at in 0_i64..1 << 47, entropy: [u8; 10]) {
            let title: ContextTitle = title.parse().unwrap();
            let id = ContextId::new(&title, Timestamp::from_millis(at), entropy);
            prop_assert_eq!(id.as_str().parse::<ContextId>(), Ok(id.clone()));
            prop_assert_eq!(id.title(), title.as_str());
        }

        #[test]
        fn parser_never_panics(text: String) {
            let _ = text.parse::<ContextId>();
        }
    }

    #[test]
    fn malformed_ids_are_rejected() {
        for text in [
            "",
            "spring",
            "spring.",
            ".01k0ab3cdefghjkmnpqrstvwxy",
            "spring.54b8c3b00e05",
            "a.b.01k0ab3cdefghjkmnpqrstvwxy",
        ] {
            assert_eq!(text.parse::<ContextId>(), Err(ContextIdError), "{text}");
        }
    }
}
