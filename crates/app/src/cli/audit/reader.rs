//! Reads and verifies a ledger export line by line.

use crate::cli::progress::Progress;
use crate::exit::CommandError;
use std::io::{BufRead, Read};
use voight_api::ledger_export::{LINE_MAX, read_line};
use voight_domain::ledger_audit::{AuditError, ExportVerifier, VerifiedExport};

/// Verifies the whole export from `input`. `subject` names it in messages.
pub(super) fn verify_lines(
    mut input: impl BufRead,
    mut checker: ExportVerifier,
    subject: &str,
    progress: &Progress,
) -> Result<VerifiedExport, CommandError> {
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let length = input
            .by_ref()
            .take(LINE_MAX as u64 + 1)
            .read_until(b'\n', &mut line);
        let length = length.map_err(|error| {
            CommandError::internal(format!("{subject} cannot be read to its end ({error})"))
        })?;
        if length == 0 {
            break;
        }
        verify_line(&mut checker, number, &line).map_err(|flaw| failure(subject, &flaw))?;
        progress.add(1);
    }
    checker.finish().map_err(|flaw| failure(subject, &flaw))
}

fn verify_line(checker: &mut ExportVerifier, number: u64, bytes: &[u8]) -> Result<(), AuditError> {
    let (line, text) = read_line(number, bytes)?;
    checker.line(line, text)
}

fn failure(subject: &str, flaw: &AuditError) -> CommandError {
    CommandError::internal(format!("{subject}: {flaw}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Output;
    use voight_domain::ledger_audit::SavedHeads;

    #[test]
    fn malformed_export_is_rejected_with_its_line() {
        let long = "x".repeat(LINE_MAX + 2);
        let cases: [(&[u8], &str); 6] = [
            (b"", "f: line 1 is not a header"),
            (
                b"{}\n",
                "f: line 1 is not a line of an export: it is not JSON of this format",
            ),
            (
                b"\xff\n",
                "f: line 1 is not a line of an export: it is not UTF-8",
            ),
            (b"{\"context\":", "the file ends in the middle of it"),
            (long.as_bytes(), "it is too long"),
            (
                b"{\"header\":{\"format\":9}}\n",
                "f: the export has format 9",
            ),
        ];
        for (text, words) in cases {
            let progress = Progress::start(Output::Json, "checking");
            let checker = ExportVerifier::new(None, SavedHeads::default());
            let sentence = verify_lines(text, checker, "f", &progress)
                .unwrap_err()
                .message;
            assert!(sentence.contains(words), "{sentence}");
        }
    }
}
