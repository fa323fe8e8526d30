//! What happened to a verdict, for `verdict explain`.

use super::{Assessment, LayerKind, Observation};
use crate::check::GateRejection;
use crate::links::ClusterLimitExceeded;
use crate::vocabulary::{CheckId, Timestamp};

/// One event in the history of a context and an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// When it was written, by the server's clock.
    pub at: Timestamp,
    /// What it was.
    pub kind: EventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventKind {
    /// A check was judged.
    Judged {
        /// The check.
        check: CheckId,
        /// Whether it was completed, or expired with evidence.
        completed: bool,
        /// Whose check it was.
        layer: LayerKind,
        /// What was found.
        assessment: Assessment,
        /// What it added; `None` if the day's checks were used up.
        observation: Option<Observation>,
    },
    /// The protocol gate refused a check; it adds nothing.
    Refused {
        /// The check.
        check: CheckId,
        /// Why.
        reason: GateRejection,
    },
    /// The check judged just before moved the answer from the claimed layer to the bound one.
    LayerChanged {
        /// The check.
        check: CheckId,
        /// Whether the claimed layer, which answered until then, is flagged.
        claimed_flagged: bool,
        /// Whether the bound layer, which answers from then on, is flagged.
        bound_flagged: bool,
    },
    /// A completed check came after as many other addresses of its cluster as the context allows.
    ClusterLimitExceeded {
        /// The check.
        check: CheckId,
        /// Whose check it was; a flag is in this layer.
        layer: LayerKind,
        /// The limit.
        limit: ClusterLimitExceeded,
    },
    /// An operator's override opened a new epoch.
    Overridden {
        /// The epoch it opened.
        epoch: u32,
        /// What the operator decided.
        to: OverrideTo,
        /// Why, in the operator's words.
        reason: String,
    },
    /// The checks before were judged again by another policy, and that opened a new epoch.
    Replayed {
        /// The epoch it opened.
        epoch: u32,
        /// The version of the policy.
        policy: u32,
        /// Why, in the operator's words.
        reason: String,
    },
}

/// Decision of an operator. In a join a bot outweighs a human, as a flag does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OverrideTo {
    /// Not a bot, until a check of the new epoch flags the address again.
    Human,
    /// A bot.
    Bot,
}
