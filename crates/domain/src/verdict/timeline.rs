//! Timeline of a verdict, for `verdict explain`.

use super::{Assessment, LayerKind, Observation, OverrideTo};
use crate::check::GateRejection;
use crate::linkage::ClusterLimitExceeded;
use crate::vocabulary::{CheckId, Timestamp};

/// Event in the history of an address in a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// The time of the write, by the server's clock.
    pub at: Timestamp,
    /// The kind of the event.
    pub kind: EventKind,
}

/// Kind of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventKind {
    /// A check was evaluated.
    Judged {
        /// The check.
        check: CheckId,
        /// `true` if the check was completed, `false` if it expired with evidence.
        completed: bool,
        /// The layer of the check.
        layer: LayerKind,
        /// The assessment of the check.
        assessment: Assessment,
        /// The contribution to the verdict; `None` if the day's checks were used up.
        observation: Option<Observation>,
    },
    /// The protocol gate rejected a check, which adds nothing.
    Rejected {
        /// The check.
        check: CheckId,
        /// The reason of the rejection.
        reason: GateRejection,
    },
    /// The check evaluated just before moved the answer from the unverified to the owned layer.
    LayerChanged {
        /// The check.
        check: CheckId,
        /// `true` if the unverified layer, which answered before, is flagged.
        unverified_flagged: bool,
        /// `true` if the owned layer, which answers from now on, is flagged.
        owned_flagged: bool,
    },
    /// A completed check exceeded the number of addresses that the context permits in a cluster.
    ClusterLimitExceeded {
        /// The check.
        check: CheckId,
        /// The layer of the check, in which a flag is set.
        layer: LayerKind,
        /// The exceeded limit.
        limit: ClusterLimitExceeded,
    },
    /// An operator's override opened a new epoch.
    Overridden {
        /// The new epoch.
        epoch: u32,
        /// The operator's decision.
        to: OverrideTo,
        /// The operator's reason, as free text.
        reason: String,
    },
    /// A replay of the earlier checks under another policy opened a new epoch.
    Replayed {
        /// The new epoch.
        epoch: u32,
        /// The version of the policy.
        policy: u32,
        /// The operator's reason, as free text.
        reason: String,
    },
}
