//! Account linkage between checks of one context.
//!
//! Links are the same movement presented for several addresses, and addresses that share a device, a network or an
//! operator's cluster. No data is compared across contexts.
//!
//! One pure function evaluates the link signals of a check inside the transaction that concludes it. Stores hold the
//! pages of the fingerprint index and the clusters, and decide nothing.

mod cluster;
mod decide;
mod facts;
mod fingerprint;
mod index;
mod reuse;
mod signals;
mod thresholds;

pub use cluster::{Cluster, ClusterKey, ClusterKind, FirstSeen, MEMBERS_MAX};
pub use decide::{ClusterLimitExceeded, DEVICE_OR_NETWORK, TRACE_REUSE};
pub(crate) use decide::{LinkCheck, add_links, is_link, link};
pub use facts::{LinkFacts, LinkWrite};
pub use fingerprint::{ACROSS, ALONG, MovementFingerprint, PathShape};
pub use index::{
    FingerprintIndex, FingerprintPage, INDEX_PAGES, IndexedCheck, NETWORK_QUOTA, OWNER_QUOTA,
    PAGE_CHECKS,
};
pub use reuse::{CONCURRENT_WINDOW, MovementReuse, reuse};
pub use signals::{DeviceFingerprint, LinkSignals, RawLinkSignals};
pub use thresholds::MatchThresholds;
