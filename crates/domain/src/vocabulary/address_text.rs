//! Explanations of texts that are not addresses.

use super::plain_text::{is_hidden, is_joiner};
use super::{AddressError, EoaAddress};
use std::fmt;

/// Number of hexadecimal digits of an address.
const DIGITS: usize = 40;
/// Endings of names that resolve to addresses.
const NAME_ENDINGS: [&str; 6] = [".eth", ".lens", ".crypto", ".nft", ".bnb", ".sol"];

/// Reason why a text is not an address. Displayed with the remedy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressProblem {
    /// The text is empty.
    Empty,
    /// The text has a character that is invisible, or that looks like another one.
    Character(char),
    /// The text begins with a quotation mark or an apostrophe.
    Quoted,
    /// A spreadsheet would evaluate the text.
    Formula,
    /// The prefix is `0X`.
    UpperCasePrefix,
    /// The prefix is the letter O and x.
    LetterO,
    /// The text has the digits of an address without a prefix.
    NoPrefix,
    /// A chain precedes the address: CAIP-10 (`eip155:1:0x…`) or EIP-3770 (`eth:0x…`).
    ChainPrefix,
    /// The text is a name, for example of ENS.
    Name,
    /// The text is an ICAP address (`XE…`).
    Icap,
    /// The text is an address of a chain with other addresses, for example of Solana or Bitcoin.
    OtherChain,
    /// The text has an address among other characters.
    MoreThanAddress,
    /// The number of hexadecimal digits after `0x` is another one than 40.
    Length(usize),
    /// A character after `0x` is no hexadecimal digit.
    Digit(char),
    /// The EIP-55 checksum is wrong.
    Checksum,
    /// The text resembles no address.
    Other,
}

impl AddressProblem {
    /// Returns the reason why a text is not an address; `None` if it is one.
    pub fn from_text(text: &str) -> Option<Self> {
        match text.parse::<EoaAddress>() {
            Ok(_) => None,
            Err(AddressError::Checksum) => Some(Self::Checksum),
            Err(AddressError::Malformed) => Some(Self::of_malformed(text)),
        }
    }

    fn of_malformed(text: &str) -> Self {
        if text.is_empty() {
            return Self::Empty;
        }
        if let Some(character) = text.chars().find(|character| is_deceptive(*character)) {
            return Self::Character(character);
        }
        if text.starts_with(['\'', '"', '`', '\u{2018}', '\u{201c}']) {
            return Self::Quoted;
        }
        if is_formula(text) {
            return Self::Formula;
        }
        Self::of_prefix(text).unwrap_or_else(|| Self::of_shape(text))
    }

    /// Returns the problem that the beginning of the text tells.
    fn of_prefix(text: &str) -> Option<Self> {
        let is_digits =
            |text: &str| text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let strip_prefix = |prefix: &str| {
            text.get(..prefix.len())
                .filter(|start| *start == prefix)
                .map(|_| &text[prefix.len()..])
        };
        if is_digits(text) {
            return Some(Self::NoPrefix);
        }
        if strip_prefix("0X").is_some_and(is_digits) {
            return Some(Self::UpperCasePrefix);
        }
        if ["Ox", "ox", "OX"]
            .into_iter()
            .filter_map(strip_prefix)
            .any(is_digits)
        {
            return Some(Self::LetterO);
        }
        if text
            .rsplit_once(':')
            .is_some_and(|(chain, rest)| is_chain(chain) && starts_like_address(rest))
        {
            return Some(Self::ChainPrefix);
        }
        let digits = strip_prefix("0x").or_else(|| strip_prefix("0X"))?;
        Some(
            match digits
                .chars()
                .find(|character| !character.is_ascii_hexdigit())
            {
                Some(_) if digits.get(..DIGITS).is_some_and(is_digits) => Self::MoreThanAddress,
                Some(character) => Self::Digit(character),
                None => Self::Length(digits.len()),
            },
        )
    }

    /// Returns the problem that the whole text tells.
    fn of_shape(text: &str) -> Self {
        let lower = text.to_ascii_lowercase();
        if NAME_ENDINGS.iter().any(|ending| {
            lower
                .strip_suffix(ending)
                .is_some_and(|name| !name.is_empty())
        }) {
            Self::Name
        } else if contains_address(text) {
            Self::MoreThanAddress
        } else if is_icap(text) {
            Self::Icap
        } else if is_other_chain(text) {
            Self::OtherChain
        } else {
            Self::Other
        }
    }

    /// Returns `true` if the writer of the text meant an address.
    const fn is_meant_as_address(self) -> bool {
        !matches!(
            self,
            Self::Empty | Self::Character(_) | Self::Quoted | Self::Formula | Self::Other
        )
    }
}

/// Returns `true` if a text is an address or was meant as one, also behind quotation marks and invisible characters.
pub fn looks_like_address(text: &str) -> bool {
    let text: String = text.chars().filter_map(plain).collect();
    let text = text.trim_matches([
        '\'', '"', '`', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', ' ',
    ]);
    AddressProblem::from_text(text).is_none_or(AddressProblem::is_meant_as_address)
}

/// Returns `true` if a spreadsheet evaluates a cell with this text.
pub fn is_formula(text: &str) -> bool {
    let mut characters = text.chars();
    match characters.next() {
        Some('=' | '@') => true,
        Some('+' | '-') => characters
            .next()
            .is_some_and(|next| next.is_ascii_alphabetic() || next == '('),
        _ => false,
    }
}

/// Returns the name of a character that is invisible, or that looks like another one; `None` for other characters.
pub fn deceptive_character_name(character: char) -> Option<&'static str> {
    Some(match character {
        '\0' => "a NUL, as in UTF-16",
        '\t' => "a tab",
        '\r' => "a carriage return",
        '\n' => "a line feed",
        '\u{a0}' => "a no-break space",
        '\u{200b}' => "a zero-width space",
        '\u{feff}' => "a byte order mark",
        '\u{ff01}'..='\u{ff5e}' => "a full-width character",
        '\u{fffd}' => "a replacement character, as text in another encoding than UTF-8 has",
        '\u{d7}' => "a multiplication sign",
        '\u{0370}'..='\u{04ff}' => "a Greek or Cyrillic letter",
        _ if is_hidden(character) || is_joiner(character) => "an invisible character",
        _ if character.is_whitespace() && character != ' ' => "a space other than U+0020",
        _ if character.is_numeric() && !character.is_ascii() => "a digit other than 0 to 9",
        _ => return None,
    })
}

fn is_deceptive(character: char) -> bool {
    deceptive_character_name(character).is_some()
}

/// Returns the character without its deceptive form; `None` for invisible ones.
fn plain(character: char) -> Option<char> {
    match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(character) - 0xfee0),
        '\u{d7}' | '\u{0445}' => Some('x'),
        _ if is_deceptive(character) && !character.is_alphanumeric() => None,
        _ => Some(character),
    }
}

/// Returns `true` for the chain of a CAIP-10 account or of an EIP-3770 address.
fn is_chain(text: &str) -> bool {
    !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b":-_".contains(&byte))
}

fn starts_like_address(text: &str) -> bool {
    text.starts_with("0x") || text.starts_with("0X")
}

/// Returns `true` if the text has `0x` and 40 hexadecimal digits anywhere.
fn contains_address(text: &str) -> bool {
    let hex_digits = |text: &[u8]| {
        text.iter()
            .take_while(|byte| byte.is_ascii_hexdigit())
            .count()
    };
    text.as_bytes().windows(2).enumerate().any(|(at, pair)| {
        matches!(pair, b"0x" | b"0X") && hex_digits(&text.as_bytes()[at + 2..]) >= DIGITS
    })
}

fn is_icap(text: &str) -> bool {
    let is_checksum = |text: &[u8]| matches!(text, [b'X' | b'x', b'E' | b'e', first, second, ..] if first.is_ascii_digit() && second.is_ascii_digit());
    (34..=35).contains(&text.len())
        && is_checksum(text.as_bytes())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Returns `true` for Base58 (Solana, Bitcoin, Tron) and Bech32 (Bitcoin, Cosmos) of the length of an address.
fn is_other_chain(text: &str) -> bool {
    let is_base58 = |byte: u8| byte.is_ascii_alphanumeric() && !b"0OIl".contains(&byte);
    let has_digit = || text.bytes().any(|byte| byte.is_ascii_digit());
    let is_bech32 = text.split_once('1').is_some_and(|(prefix, data)| {
        let is_data = |byte: u8| {
            byte.is_ascii_alphanumeric() && !b"1bio".contains(&byte.to_ascii_lowercase())
        };
        !prefix.is_empty()
            && prefix.bytes().all(|byte| byte.is_ascii_lowercase())
            && data.len() >= 38
            && data.bytes().all(is_data)
    });
    is_bech32 || ((26..=44).contains(&text.len()) && text.bytes().all(is_base58) && has_digit())
}

impl fmt::Display for AddressProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            Self::Character(character) => {
                let name = deceptive_character_name(character).unwrap_or("another character");
                return write!(f, "it has {name} (U+{:04X}); remove or retype it", u32::from(character));
            }
            Self::Length(digits) => {
                return write!(f, "it has {digits} hexadecimal digits after 0x instead of {DIGITS}; copy the complete address");
            }
            Self::Digit(character) => {
                let character = character.escape_default();
                return write!(f, "it has the character {character} after 0x, which is no hexadecimal digit; copy the address again");
            }
            Self::Empty => "the address is missing; write one, or remove the line",
            Self::Quoted => "it begins with a quotation mark or apostrophe, as spreadsheets mark text; remove it",
            Self::Formula => "it is a formula of a spreadsheet; write the address instead",
            Self::UpperCasePrefix => "it begins with 0X; write 0x",
            Self::LetterO => "it begins with the letter O; write the digit 0",
            Self::NoPrefix => "it lacks the prefix; write 0x before the 40 digits",
            Self::ChainPrefix => {
                "it names a chain before the address (CAIP-10 or EIP-3770); write only the part from 0x on, if the address is on the chain of the reward"
            }
            Self::Name => "it is a name (ENS or another name service); resolve it, and write the address",
            Self::Icap => "it is an ICAP address; convert it to 0x and 40 hexadecimal digits",
            Self::OtherChain => "it looks like an address of another chain (Base58 or Bech32, as on Solana or Bitcoin); write an Ethereum address",
            Self::MoreThanAddress => {
                "it has more than an address; write the address alone, and separate cells by commas, semicolons or tabs"
            }
            Self::Checksum => "its mixed case fails the EIP-55 checksum; look for a typing error, or write it in lower case",
            Self::Other => "an address is 0x followed by 40 hexadecimal digits",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ADDRESS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

    fn problem(text: &str) -> AddressProblem {
        AddressProblem::from_text(text).unwrap_or_else(|| panic!("{text:?} is an address"))
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table of forms")]
    fn address_forms_have_problem_and_remedy() {
        let digits = &ADDRESS[2..];
        for (text, expected, remedy) in [
            (String::new(), AddressProblem::Empty, "missing"),
            (
                format!("{ADDRESS}\u{a0}"),
                AddressProblem::Character('\u{a0}'),
                "no-break space (U+00A0)",
            ),
            (
                format!("\u{200b}{ADDRESS}"),
                AddressProblem::Character('\u{200b}'),
                "zero-width space (U+200B)",
            ),
            (
                format!("\u{feff}{ADDRESS}"),
                AddressProblem::Character('\u{feff}'),
                "byte order mark (U+FEFF)",
            ),
            (
                ADDRESS.replace('5', "\u{ff15}"),
                AddressProblem::Character('\u{ff15}'),
                "full-width",
            ),
            (
                ADDRESS.replace('x', "\u{445}"),
                AddressProblem::Character('\u{445}'),
                "Cyrillic",
            ),
            (format!("'{ADDRESS}"), AddressProblem::Quoted, "apostrophe"),
            ("=cmd|x".to_owned(), AddressProblem::Formula, "formula"),
            (
                format!("0X{digits}"),
                AddressProblem::UpperCasePrefix,
                "write 0x",
            ),
            (format!("Ox{digits}"), AddressProblem::LetterO, "letter O"),
            (
                digits.to_owned(),
                AddressProblem::NoPrefix,
                "write 0x before",
            ),
            (
                format!("eip155:1:{ADDRESS}"),
                AddressProblem::ChainPrefix,
                "CAIP-10",
            ),
            (
                format!("eth:{ADDRESS}"),
                AddressProblem::ChainPrefix,
                "EIP-3770",
            ),
            ("vitalik.eth".to_owned(), AddressProblem::Name, "resolve it"),
            (
                "XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS".to_owned(),
                AddressProblem::Icap,
                "ICAP",
            ),
            (
                "4Nd1mYvJ3sZ8vQ3kq5C2mVb7kUeXw9Yt1sR6pLhGfDaE".to_owned(),
                AddressProblem::OtherChain,
                "Solana",
            ),
            (
                "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq".to_owned(),
                AddressProblem::OtherChain,
                "Bitcoin",
            ),
            (
                format!("{ADDRESS} 5"),
                AddressProblem::MoreThanAddress,
                "alone",
            ),
            (
                format!("https://etherscan.io/address/{ADDRESS}"),
                AddressProblem::MoreThanAddress,
                "alone",
            ),
            (
                "0x5290".to_owned(),
                AddressProblem::Length(4),
                "4 hexadecimal digits after 0x instead of 40",
            ),
            (
                ADDRESS.replace('9', "g"),
                AddressProblem::Digit('g'),
                "character g",
            ),
            (
                ADDRESS.replace("6E0F", "6e0F"),
                AddressProblem::Checksum,
                "EIP-55",
            ),
            (
                "alice".to_owned(),
                AddressProblem::Other,
                "40 hexadecimal digits",
            ),
        ] {
            assert_eq!(problem(&text), expected, "{text:?}");
            assert!(expected.to_string().contains(remedy), "{expected}");
        }
        assert_eq!(AddressProblem::from_text(ADDRESS), None);
    }

    #[test]
    fn address_like_text_is_no_column_name() {
        for text in [
            ADDRESS,
            "0x12",
            "'0x52908400098527886E0F7030069857D2E4169EE7",
            "\u{feff}vitalik.eth",
            "eth:0x1",
        ] {
            assert!(looks_like_address(text), "{text:?}");
        }
        let fullwidth: String = ADDRESS
            .chars()
            .map(|c| char::from_u32(u32::from(c) + 0xfee0).unwrap())
            .collect();
        assert!(looks_like_address(&fullwidth));
        for text in [
            "address",
            "wallet_address\u{a0}",
            "'address'",
            "user.address",
            "Адрес",
            "",
            "contract",
            "=x",
        ] {
            assert!(!looks_like_address(text), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn invalid_address_text_has_a_problem(text in "[0x:'.=a-zA-Z1-9\u{a0}\u{ff10}]{0,60}|\\PC*") {
            prop_assert_eq!(AddressProblem::from_text(&text).is_none(), text.parse::<EoaAddress>().is_ok());
            let _ = looks_like_address(&text);
        }
    }
}
