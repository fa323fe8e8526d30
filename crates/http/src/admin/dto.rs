//! The bodies of the admin API. The command line reads and writes the same types, so the two cannot drift apart.
//!
//! Ids and times (RFC 3339, UTC) are text; evidence is in nats; members are in snake case. Bodies that are sent to the
//! service refuse unknown members; answers may gain members.

mod audit;
mod client;
mod context;
mod erasure;
mod history;
mod info;
mod key;
mod store;
mod usage;
mod verdict;

pub use audit::{AuditHead, AuditRecord};
pub use client::{Client, ClientPatch, ClientStatus, NewClient, RateChange};
pub use context::{Context, ContextSettings, NewContext};
pub use erasure::{ErasedCounts, Erasure, ErasureRequest};
pub use history::{CauseGroup, Finding, HistoryEvent, Judged, Outcome};
pub(super) use info::trouble;
pub use info::{AssetInfo, Info, ReadyInfo, StoreInfo};
pub use key::{IssuedKey, Key, KeyRotation, NewKey};
pub use store::{Disk, Scrub, Store, TableLine};
pub use usage::{Usage, UsageLine};
pub use verdict::{Explanation, Layer, OverrideRequest, OverrideTo, PublicAnswer, Verdict};

pub use crate::api::context_settings::{
    BindingPolicy, ChangeContext as ContextPatch, ClaimedFlags, ContextMode, DeviceLimitPolicy,
};

use voight_domain::Timestamp;

fn optional(time: Option<Timestamp>) -> Option<String> {
    time.map(|time| time.to_string())
}

fn texts<T: ToString>(values: impl IntoIterator<Item = T>) -> Vec<String> {
    values.into_iter().map(|value| value.to_string()).collect()
}
