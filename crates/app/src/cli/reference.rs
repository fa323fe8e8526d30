//! References to keys and contexts. The admin API resolves them, so that every command accepts the same forms.

use std::fmt;
use std::str::FromStr;

/// Declares a reference type with the check of its form. `$expected` follows the name of the argument in an error.
macro_rules! reference {
    ($(#[$meta:meta])* $name:ident, $is_valid:expr, $expected:literal) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub(super) struct $name(String);

        impl $name {
            /// Returns the reference as the caller wrote it.
            pub(super) fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = &'static str;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let is_valid: fn(&str) -> bool = $is_valid;
                if is_valid(text.trim_end_matches('…')) { Ok(Self(text.to_owned())) } else { Err($expected) }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

reference! {
    /// Key reference: its id, or a unique prefix of it.
    KeyRef,
    |text| (1..=ID_CHARS).contains(&text.len()) && text.chars().all(is_of_id),
    "write the id of a key or a unique prefix of it, for example 01k0ab3c"
}

reference! {
    /// Context reference: its id, a unique prefix of it, or `client/title`.
    ContextRef,
    |text| {
        let title = text.rsplit_once('/').map_or(text, |(_, title)| title);
        !title.is_empty() && title.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c))
    },
    "write the id of a context, a unique prefix of it, or client/title"
}

/// Length of an id (a ULID).
const ID_CHARS: usize = 26;

/// Returns `true` for a character of Crockford's base 32 in lower case.
const fn is_of_id(c: char) -> bool {
    c.is_ascii_digit() || (c.is_ascii_lowercase() && !matches!(c, 'i' | 'l' | 'o' | 'u'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_may_be_shortened_and_other_texts_are_rejected() {
        for text in ["01k0ab3cdefghjkmnpqrstvwxy", "01k0ab3c", "01k0ab3c…"] {
            assert_eq!(text.parse::<KeyRef>().unwrap().as_str(), text);
        }
        for text in [
            "",
            "…",
            "vgt_live_x",
            "01K0AB3C",
            "01k0ab3cdefghjkmnpqrstvwxyz",
            "a key",
        ] {
            assert!(
                text.parse::<KeyRef>().unwrap_err().contains("for example"),
                "{text}"
            );
        }
        for text in [
            "spring.01k0ab3cdefghjkmnpqrstvwxy",
            "spring.01",
            "spring",
            "acme/spring",
            "Acme / Co/spring",
        ] {
            assert_eq!(text.parse::<ContextRef>().unwrap().as_str(), text);
        }
        for text in ["", "acme/", "a context", "0x+1"] {
            assert!(
                text.parse::<ContextRef>()
                    .unwrap_err()
                    .contains("client/title"),
                "{text}"
            );
        }
    }
}
