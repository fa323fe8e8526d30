//! What a store reads and writes for links.

use super::{Cluster, ClusterKey, FingerprintIndex, FingerprintPage};
use std::collections::BTreeMap;

/// What a store has read inside the step. Of a check that presents no traces the pages need not be read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkFacts {
    /// The index of traces of the context.
    pub pages: FingerprintIndex,
    /// The cluster that an operator has put the address into.
    pub assigned: Option<ClusterKey>,
    /// Those of the check's clusters that have members, the assigned one included.
    pub clusters: BTreeMap<ClusterKey, Cluster>,
}

/// What a store has to write with the conclusion.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LinkWrite {
    /// The page of the index that changes.
    pub page: Option<(u16, FingerprintPage)>,
    /// The clusters that change.
    pub clusters: Vec<(ClusterKey, Cluster)>,
}
