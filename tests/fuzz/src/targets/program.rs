//! Parsers of an operator's configuration.

use std::str::from_utf8;
use voight::fuzz_entry_points;

const BOOK: &str = "billing.price_book.";

/// Parses a configuration file: the printed settings can be set by variables, and an error names the fault.
///
/// The price book is excluded, because its tiers can only be set in a file.
pub fn config(bytes: &[u8]) -> bool {
    let Ok(text) = from_utf8(bytes) else {
        return false;
    };
    match fuzz_entry_points::configuration(text, []) {
        Ok(mut settings) => {
            settings.retain(|key, _| !key.starts_with(BOOK));
            let variable =
                |key: &str| format!("VOIGHT__{}", key.to_ascii_uppercase().replace('.', "__"));
            let variables = settings
                .iter()
                .map(|(key, value)| (variable(key), value.clone()));
            let second_reading =
                fuzz_entry_points::configuration("", variables).map(|mut again| {
                    again.retain(|key, _| !key.starts_with(BOOK));
                    again
                });
            assert_eq!(second_reading.as_ref(), Ok(&settings));
            true
        }
        Err(problems) => {
            assert!(
                !problems.is_empty() && problems.iter().all(|problem| !problem.trim().is_empty())
            );
            false
        }
    }
}

/// Parses the URL of a store.
pub fn store_url(bytes: &[u8]) -> bool {
    let Ok(text) = from_utf8(bytes) else {
        return false;
    };
    match fuzz_entry_points::store_url(text) {
        Ok(url) => {
            // Only the password of a database is omitted.
            assert!(
                url == text || text.starts_with("postgres"),
                "one store has two URLs"
            );
            assert_eq!(
                fuzz_entry_points::store_url(&url).as_ref(),
                Ok(&url),
                "the displayed URL is of another store"
            );
            true
        }
        Err(message) => {
            let names_schemes = ["redb:PATH", "postgres://USER@HOST/DATABASE"]
                .iter()
                .any(|url| message.contains(url));
            assert!(names_schemes, "the error names no valid scheme: {message}");
            false
        }
    }
}
