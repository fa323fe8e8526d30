//! History of a verdict, newest first.

use crate::format::{Time, nats_text};
use crate::visit::Visit;
use voight_domain::verdict::{Event, EventKind, LayerKind, OverrideTo};

/// Entry of the history.
pub(super) struct HistoryEntry {
    /// Class of the entry: `bot` for what made a flag.
    pub(super) class: &'static str,
    /// Title: the event in a few words.
    pub(super) title: String,
    /// Details.
    pub(super) text: String,
    /// Time of the event.
    pub(super) at: Time,
}

impl HistoryEntry {
    /// Creates the entry of an event.
    pub(super) fn new(visit: &Visit, event: &Event) -> Self {
        let (class, title, text) = describe(&event.kind);
        Self {
            class,
            title,
            text,
            at: Time::new(event.at, visit.now),
        }
    }
}

fn describe(kind: &EventKind) -> (&'static str, String, String) {
    match kind {
        EventKind::Judged {
            check,
            completed,
            layer,
            assessment,
            observation,
        } => {
            let is_flagged = observation
                .as_ref()
                .is_some_and(|observation| observation.layer.flagged);
            let act = if *completed {
                "Check completed"
            } else {
                "Check expired with evidence"
            };
            let result = if is_flagged { "flagged" } else { "not flagged" };
            let class = if is_flagged { "bot" } else { "" };
            let text = format!(
                "{}. For a bot {}, for a person {}. Check {check}",
                layer_name(*layer),
                nats_text(assessment.bot),
                nats_text(assessment.human)
            );
            (class, format!("{act}: {result}"), text)
        }
        EventKind::Rejected { check, reason } => {
            let text = format!("It adds nothing to the verdict: {reason}. Check {check}");
            ("", "Check rejected".to_owned(), text)
        }
        EventKind::LayerChanged { check, .. } => {
            let text = format!(
                "The owner proved the wallet, so only proved checks answer from now on. Check {check}"
            );
            ("now", "Answer moved to proved checks".to_owned(), text)
        }
        EventKind::ClusterLimitExceeded { check, limit, .. } => {
            let effect = if limit.flagged {
                "Flagged"
            } else {
                "Reported only"
            };
            let text = format!(
                "Number {} of its group, the limit is {}. {effect}. Check {check}",
                limit.rank, limit.limit
            );
            (
                "bot",
                "Limit of wallets in a group exceeded".to_owned(),
                text,
            )
        }
        EventKind::Overridden { to, reason, .. } => {
            let word = match to {
                OverrideTo::Human => "person",
                OverrideTo::Bot => "bot",
            };
            (
                "now",
                format!("Overridden by an operator: {word}"),
                format!("Reason: {reason}"),
            )
        }
        EventKind::Replayed { policy, reason, .. } => {
            let text = format!("Policy {policy}. Reason: {reason}");
            (
                "now",
                "Evaluated again under another policy".to_owned(),
                text,
            )
        }
    }
}

const fn layer_name(layer: LayerKind) -> &'static str {
    match layer {
        LayerKind::Owned => "Proved",
        LayerKind::Unverified => "Not proved",
    }
}
