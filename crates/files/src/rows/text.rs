//! Texts of the values of a row.

use voight_domain::verdict::{AnsweringLayer, Confidence, DecidedBy, Status};

pub(super) fn status(status: Status) -> &'static str {
    match status {
        Status::Unknown => "unknown",
        Status::Human => "human",
        Status::Bot => "bot",
        Status::Unsure => "unsure",
    }
}

pub(super) fn layer(layer: AnsweringLayer) -> &'static str {
    match layer {
        AnsweringLayer::Owned => "owned",
        AnsweringLayer::Unverified => "unverified",
        AnsweringLayer::Both => "both",
    }
}

pub(super) fn decided_by(source: DecidedBy) -> &'static str {
    match source {
        DecidedBy::Checks => "checks",
        DecidedBy::Operator => "operator",
        DecidedBy::List => "list",
    }
}

/// Returns a score with two decimals.
pub(super) fn score(score: Confidence) -> String {
    format!("{:.2}", score.as_f64())
}
