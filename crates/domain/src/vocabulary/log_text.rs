//! Text of a caller in a log line, without the data that is never logged.

use std::net::{Ipv4Addr, Ipv6Addr};

/// Maximum number of characters of a caller's text in a log line.
const MAX_LOG_CHARACTERS: usize = 120;
/// Minimum length of a word that may be an address, a key, a signature or an id.
const SECRET_CHARACTERS: usize = 20;
/// Replacement of a word or an IP address.
const REPLACEMENT: &str = "*";

/// Returns a text that a caller sent, for a log line: IP addresses and words that may be an address or a key are replaced by `*`,
/// and the text is truncated.
///
/// A word of letters, digits and percent-encoded bytes is replaced if it has a digit and at least 20 characters. The log escapes
/// control characters.
pub fn log_text(text: &str) -> String {
    let text = replace_runs(
        text,
        |c| c.is_ascii_hexdigit() || matches!(c, ':' | '.'),
        is_ipv6,
    );
    let text = replace_runs(&text, |c| c.is_ascii_digit() || c == '.', is_ipv4);
    let text = replace_runs(
        &text,
        |c| c.is_ascii_alphanumeric() || c == '%',
        may_be_secret,
    );
    match text.char_indices().nth(MAX_LOG_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Replaces every longest run of characters of a kind for which `is_replaced` returns `true`.
fn replace_runs(
    text: &str,
    is_part: impl Fn(char) -> bool,
    is_replaced: impl Fn(&str) -> bool,
) -> String {
    let mut output = String::with_capacity(text.len());
    let mut remaining = text;
    while let Some(start) = remaining.find(&is_part) {
        let (unmatched_text, run_and_after) = remaining.split_at(start);
        let length = run_and_after
            .find(|c| !is_part(c))
            .unwrap_or(run_and_after.len());
        let (run, after) = run_and_after.split_at(length);
        output.push_str(unmatched_text);
        output.push_str(if is_replaced(run) { REPLACEMENT } else { run });
        remaining = after;
    }
    output + remaining
}

fn is_ipv6(run: &str) -> bool {
    let is_address = |text: &str| text.parse::<Ipv6Addr>().is_ok();
    let trimmed_run = run.trim_end_matches('.');
    is_address(trimmed_run)
        || trimmed_run.strip_prefix(':').is_some_and(is_address)
        || trimmed_run.strip_suffix(':').is_some_and(is_address)
        // The last group may be a port.
        || trimmed_run.rsplit_once(':').is_some_and(|(address, _)| address.matches(':').count() > 1 && is_address(address))
}

fn is_ipv4(run: &str) -> bool {
    run.trim_matches('.').parse::<Ipv4Addr>().is_ok()
}

fn may_be_secret(word: &str) -> bool {
    word.len() >= SECRET_CHARACTERS && word.bytes().any(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_and_addresses_are_replaced() {
        let address = "0x00112233445566778899aabbccddeeff00112233";
        let key = "vgt_live_0123456789abcdefghijABCDEFGHIJ01234567";
        for (text, logged) in [
            (format!("/v1/{address}/verdict"), "/v1/*/verdict"),
            (format!("/v1/{key}"), "/v1/vgt_live_*"),
            ("/v1/%30%78%30%30%31%31%32%32".to_owned(), "/v1/*"),
            ("https://203.0.113.77:3000".to_owned(), "https://*:3000"),
            ("https://[2001:db8::1]:3000".to_owned(), "https://[*]:3000"),
            ("2001:db8::1:3000 ::ffff:203.0.113.77".to_owned(), "* *"),
        ] {
            assert_eq!(log_text(&text), logged);
        }
    }

    #[test]
    fn ordinary_path_is_unchanged() {
        for text in [
            "/wp-login.php",
            "/api/v2/users/eoa",
            "/.well-known/apple-app-site-association",
            "/internationalisation",
        ] {
            assert_eq!(log_text(text), text);
        }
        assert_eq!(
            log_text("https://quest.example:8443"),
            "https://quest.example:8443"
        );
    }

    #[test]
    fn text_is_truncated_after_replacement() {
        let log_line = log_text(&"/é".repeat(500));
        assert_eq!(log_line.chars().count(), MAX_LOG_CHARACTERS + 1);
        let secret_at_end = format!("{}{}", "/a".repeat(55), "0123456789".repeat(6));
        assert!(!log_text(&secret_at_end).contains("0123"));
    }
}
