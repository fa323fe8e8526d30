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

pub use cluster::{Cluster, ClusterKey, ClusterKind, FirstSeen, MEMBERS_MAX};
pub use decide::{ClusterLimitExceeded, DEVICE_OR_NETWORK, TRACE_REUSE};
pub(crate) use decide::{LinkCheck, add_links, is_link, link};
pub use facts::{LinkFacts, LinkWrite};
pub use index::{
    FingerprintIndex, FingerprintPage, INDEX_PAGES, IndexedCheck, NETWORK_QUOTA, OWNER_QUOTA, PAGE_CHECKS,
};
pub use limits::MatchThresholds;
pub use presented::{DeviceFingerprint, LinkSignals, RawLinkSignals};
pub use reuse::{CONCURRENT_WINDOW, MovementReuse, reuse};
pub use trace::{ACROSS, ALONG, MovementFingerprint, PathShape};
