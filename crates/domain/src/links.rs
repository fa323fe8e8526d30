//! Links between checks of one context: the same movement presented for several addresses, and addresses that share a
//! device, a network or an operator's cluster. Nothing here reaches across contexts.
//!
//! What a check presents goes through one pure function inside the step that concludes it. Stores keep the pages of traces and the
//! clusters, and decide nothing.

mod cluster;
mod decide;
mod facts;
mod index;
mod limits;
mod presented;
mod reuse;
mod trace;

pub use cluster::{Cluster, ClusterKey, ClusterKind, MEMBERS_MAX, Seen};
pub(crate) use decide::{Check, add_links, is_link, link};
pub use decide::{DEVICE_OR_NETWORK, OverLimit, TRACE_REUSE};
pub use facts::{LinkFacts, LinkWrite};
pub use index::{INDEX_PAGES, IndexedCheck, NETWORK_QUOTA, OWNER_QUOTA, PAGE_CHECKS, TracePage, TracePages};
pub use limits::Limits;
pub use presented::{DeviceMarks, Marks, Presented};
pub use reuse::{AT_ONCE, Reuse, reuse};
pub use trace::{ACROSS, ALONG, Shape, Trace};
