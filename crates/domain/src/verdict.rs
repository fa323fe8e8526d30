//! Verdicts: assessment -> observation -> join -> answer.

mod answer;
mod assessment;
mod calibration;
mod confidence;
mod detail;
mod label;
mod layer;
mod layer_kind;
mod nats;
mod observe;
mod override_to;
mod replay;
mod state;
mod summary;
mod timeline;
mod tombstone;

pub use answer::{Answer, answer, magic_answer, moves_to_owned};
pub use assessment::{Assessment, Finding, GroupRole, Versions};
pub use calibration::{
    Bin, Calibration, LabelledAnswer, Proportion, ScoreErrors, share_upper_bound,
};
pub use confidence::Confidence;
pub use detail::{AnsweringLayer, DecidedBy, Detail, Status, detail, magic_detail};
pub use label::{Label, Truth};
pub use layer::{DayCount, Layer};
pub use layer_kind::LayerKind;
pub use nats::Nats;
pub use observe::{MAX_CHECKS_PER_DAY, MAX_PENALISED_CHECKS, Observation, observe, repeat_penalty};
pub use override_to::OverrideTo;
pub use replay::{DecidingCheck, VerdictReplay};
pub use state::Verdict;
pub use summary::TimelineSummary;
pub use timeline::{Event, EventKind};
pub use tombstone::{LayerRemnant, Tombstone, effective_verdict};
