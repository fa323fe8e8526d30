//! Heads that a client has saved.

use super::{AuditError, ExportHeader};
use crate::metering::{ChainHead, SignedHead};
use crate::secrets::PublicKeys;

/// Name of the response header with a head.
const HEADER: &str = "voight-meter:";

/// Saved heads of a client: values of the header `Voight-Meter`, and signed heads.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SavedHeads {
    lines: usize,
    plain: Vec<SavedHead>,
    signed: Vec<(usize, String)>,
}

/// Saved head of a ledger at one of its rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct SavedHead {
    pub(super) row: u64,
    pub(super) line: usize,
    pub(super) head: ChainHead,
}

/// Error returned for a line that is not a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "line {line} of the heads is not a head: write `seq=N, head=HEX` as in the response header Voight-Meter, or a signed head of GET /api/v1/usage/head"
)]
pub struct SavedHeadError {
    /// The number of the line, from 1.
    pub line: usize,
}

impl SavedHeads {
    /// Parses one more line: a head, an empty line, or a comment that begins with `#`.
    pub fn add(&mut self, line: &str) -> Result<(), SavedHeadError> {
        self.lines += 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        if line.split('.').count() == 3 && !line.contains([' ', '=']) {
            self.signed.push((self.lines, line.to_owned()));
            return Ok(());
        }
        let (row, head) = meter(line).ok_or(SavedHeadError { line: self.lines })?;
        self.plain.push(SavedHead {
            row,
            line: self.lines,
            head,
        });
        Ok(())
    }

    /// Returns the number of heads.
    pub fn count(&self) -> usize {
        self.plain.len() + self.signed.len()
    }

    /// Returns all heads in the order of their rows.
    ///
    /// The signed heads must be of this ledger and signed by one of these keys.
    pub(super) fn verified_for(
        &self,
        header: &ExportHeader,
        keys: &PublicKeys,
    ) -> Result<Vec<SavedHead>, AuditError> {
        let mut saved_heads = self.plain.clone();
        for (line, token) in &self.signed {
            let line = *line;
            let signed_head = SignedHead::from_token(token, keys)
                .ok_or(AuditError::SavedHeadSignature { line })?;
            if (signed_head.client, signed_head.environment) != (header.client, header.environment)
            {
                return Err(AuditError::SavedHeadOfOtherLedger {
                    line,
                    client: signed_head.client,
                    environment: signed_head.environment,
                });
            }
            saved_heads.push(SavedHead {
                row: signed_head.seq,
                line,
                head: signed_head.head,
            });
        }
        saved_heads.sort_unstable();
        Ok(saved_heads)
    }
}

/// Returns row and head from a value of the header, with or without its name.
fn meter(line: &str) -> Option<(u64, ChainHead)> {
    let value = match line.get(..HEADER.len()) {
        Some(name) if name.eq_ignore_ascii_case(HEADER) => line[HEADER.len()..].trim_start(),
        _ => line,
    };
    let (seq, head) = value.strip_prefix("seq=")?.split_once(", head=")?;
    Some((seq.parse().ok()?, head.parse().ok()?))
}
