//! Parsers of the ledger audit: an export, and the client's saved heads.

use std::str::from_utf8;
use voight_api::ledger_export::{read_keys, read_line, write_line};
use voight_domain::ledger_audit::{ExportVerifier, SavedHeads};

/// Parses an export. Its lines are also parsed separately, because most errors end an audit early.
pub fn export(bytes: &[u8]) -> bool {
    let mut verifier = ExportVerifier::new(None, SavedHeads::default());
    let mut outcome = Ok(());
    for (number, bytes) in (1..).zip(bytes.split_inclusive(|byte| *byte == b'\n')) {
        let result = read_line(number, bytes);
        if let Ok((line, text)) = &result {
            assert_eq!(write_line(line), *text, "one line has two spellings");
        }
        if outcome.is_ok() {
            outcome = result.and_then(|(line, text)| verifier.line(line, text));
        }
    }
    let result = outcome.and_then(|()| verifier.finish());
    if let Err(error) = &result {
        assert_eq!(
            error.to_string().lines().count(),
            1,
            "an error is one line: {error}"
        );
    }
    result.is_ok()
}

/// Parses a client's saved heads, one per line.
pub fn heads(bytes: &[u8]) -> bool {
    let Ok(text) = from_utf8(bytes) else {
        return false;
    };
    let mut heads = SavedHeads::default();
    let result = text.lines().try_for_each(|line| heads.add(line));
    if let Err(error) = &result {
        let line = text.lines().nth(error.line - 1);
        assert!(
            line.is_some_and(|line| !line.trim().is_empty()),
            "the error names another line"
        );
        let lines_before = text.lines().take(error.line - 1);
        let mut heads = SavedHeads::default();
        lines_before.for_each(|line| {
            assert_eq!(
                heads.add(line),
                Ok(()),
                "a line before the named one is invalid"
            );
        });
    }
    result.is_ok()
}

/// Parses a file of published keys of a service.
pub fn keys(bytes: &[u8]) -> bool {
    let Ok(text) = from_utf8(bytes) else {
        return false;
    };
    match read_keys(text) {
        Ok(keys) => {
            let each = keys.0.iter().all(|key| key.kid.len() == 16);
            assert!(each, "a key has another id than its own");
            true
        }
        Err(error) => {
            assert!(error.lines().count() <= 1, "an error is one line: {error}");
            false
        }
    }
}
