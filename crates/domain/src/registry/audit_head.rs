//! Hash chain over the audit log.

use super::AuditEntry;
use crate::metering::ChainHead;

/// Head of the audit log: `head(n) = BLAKE3(head(n - 1) || entry(n))`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AuditHead {
    /// The sequence number of the last entry; 0 before the first.
    pub seq: u64,
    /// The chain head after the last entry.
    pub head: ChainHead,
}

impl AuditHead {
    /// Returns the head of an empty log.
    pub fn genesis() -> Self {
        Self {
            seq: 0,
            head: ChainHead(blake3::hash(b"voight audit 1").into()),
        }
    }

    /// Returns the head after one more entry.
    #[must_use]
    pub fn extended_by(self, entry: &AuditEntry) -> Self {
        Self {
            seq: self.seq.saturating_add(1),
            head: self.head.extend(&entry.to_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Actor, AuditAction};
    use crate::vocabulary::Timestamp;

    #[test]
    fn audit_head_depends_on_entries_and_order() {
        let entry = |detail: &str| AuditEntry {
            at: Timestamp::default(),
            actor: Actor::Operator,
            action: AuditAction::ClockAcknowledged,
            subject: String::new(),
            detail: detail.to_owned(),
        };
        let log = |details: [&str; 2]| {
            details
                .into_iter()
                .map(entry)
                .fold(AuditHead::genesis(), |h, e| h.extended_by(&e))
        };
        assert_eq!(log(["a", "b"]).seq, 2);
        assert_ne!(log(["a", "b"]), log(["b", "a"]));
        assert_ne!(log(["a", "b"]), log(["a", "c"]));
    }
}
