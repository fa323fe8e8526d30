//! How evidence becomes a verdict: assessment -> observation -> join -> answer.

mod answer;
mod assessment;
mod confidence;
mod layer;
mod nats;
mod observe;
mod state;
mod timeline;
mod tombstone;

pub use answer::{Answer, answer, magic_answer};
pub use assessment::{Assessment, Finding, Versions};
pub use confidence::Confidence;
pub use layer::{DayCount, Layer};
pub use nats::Nats;
pub use observe::{COVERED_CHECKS_PER_DAY, ORDINAL_MAX, Observation, observe, spread};
pub use state::{LayerKind, Verdict};
pub use timeline::{Event, EventKind, OverrideTo};
pub use tombstone::{Tombstone, Trace, standing};
