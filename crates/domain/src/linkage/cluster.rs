//! Clusters: addresses that share a device, a network or an operator's cluster name.

use crate::secrets::{AddressDigest, NetworkHash};
use crate::verdict::LayerKind;
use crate::vocabulary::Timestamp;
use std::collections::BTreeMap;
use std::time::Duration;

/// Maximum number of members of a cluster. A later address exceeds every limit below this number.
pub const MEMBERS_MAX: usize = 512;

/// Shared property of the members of a cluster.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ClusterKind {
    /// A device, identified by several of its properties.
    Device,
    /// A network.
    Network,
    /// A name that an operator assigned.
    Operator,
}

/// Key of a cluster within its context.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClusterKey {
    /// The kind of the cluster.
    pub kind: ClusterKind,
    /// Keyed digest of the shared property, unique to this context.
    pub digest: [u8; 16],
}

/// Times at which a member was first seen in a completed check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FirstSeen {
    /// The first time in any check.
    pub first: Timestamp,
    /// The first time in a check with proof of ownership.
    pub owned: Option<Timestamp>,
}

/// Members of a cluster, by the digests of their addresses. A cluster only grows, up to [`MEMBERS_MAX`] members.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cluster {
    /// Members, with the times at which each was first seen.
    pub members: BTreeMap<AddressDigest, FirstSeen>,
}

impl ClusterKind {
    /// Returns the kind as shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Network => "network",
            Self::Operator => "operator",
        }
    }
}

impl ClusterKey {
    /// Returns the key of the cluster of a network.
    pub const fn of_network(network: NetworkHash) -> Self {
        Self {
            kind: ClusterKind::Network,
            digest: network.0,
        }
    }
}

/// Formats the kind and the first 8 digits of the digest, which are enough to distinguish clusters.
impl std::fmt::Display for ClusterKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} {}",
            self.kind.as_str(),
            data_encoding::HEXLOWER.encode(&self.digest[..4])
        )
    }
}

impl FirstSeen {
    /// Returns the earlier time of each.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        let first_owned = self.owned.into_iter().chain(other.owned).min();
        Self {
            first: self.first.min(other.first),
            owned: first_owned,
        }
    }

    const fn last_seen_on(self, layer: LayerKind) -> Option<Timestamp> {
        match layer {
            LayerKind::Unverified => Some(self.first),
            LayerKind::Owned => self.owned,
        }
    }
}

impl Cluster {
    /// Merges the members of two clusters, each with the earlier times.
    #[must_use]
    pub fn join(mut self, other: &Self) -> Self {
        for (member, seen) in &other.members {
            self.members
                .entry(*member)
                .and_modify(|first_seen| *first_seen = first_seen.join(*seen))
                .or_insert(*seen);
        }
        while self.members.len() > MEMBERS_MAX
            && let Some(last) = self.last_added()
        {
            self.members.remove(&last);
        }
        self
    }

    /// Returns the cluster with a member that was seen at this time in a check of this layer. A new member is added
    /// last, if necessary slightly later than the clock: a clock that moves back, or does not advance between two
    /// checks, ranks no address before the others.
    #[must_use]
    pub fn with_member(self, member: AddressDigest, at: Timestamp, layer: LayerKind) -> Self {
        let last = |layer| {
            self.members
                .values()
                .filter_map(|first_seen| first_seen.last_seen_on(layer))
                .max()
        };
        let next = |layer| {
            last(layer).map_or(at, |last| {
                at.max(last.saturating_add(Duration::from_millis(1)))
            })
        };
        let stored_member = self.members.get(&member);
        let first = stored_member.map_or_else(
            || next(LayerKind::Unverified),
            |first_seen| first_seen.first,
        );
        let first_owned = match (stored_member.and_then(|first_seen| first_seen.owned), layer) {
            (None, LayerKind::Owned) => Some(next(LayerKind::Owned)),
            (owned, _) => owned,
        };
        self.join(&Self {
            members: BTreeMap::from([(
                member,
                FirstSeen {
                    first,
                    owned: first_owned,
                },
            )]),
        })
    }

    /// Returns the rank of an address in the order in which members were first seen, from 1. Owned checks are ranked
    /// among owned checks only, so that no visitor can push a wallet beyond a limit by checks in the names of other
    /// addresses.
    pub fn arrival_rank(&self, member: AddressDigest, layer: LayerKind) -> usize {
        let place = |(member, seen): (&AddressDigest, &FirstSeen)| {
            seen.last_seen_on(layer).map(|at| (at, *member))
        };
        let own_place = self.members.get_key_value(&member).and_then(place);
        let is_earlier = |place: &(Timestamp, AddressDigest)| {
            own_place.is_none_or(|own_place| *place < own_place)
        };
        self.members
            .iter()
            .filter_map(place)
            .filter(is_earlier)
            .count()
            + 1
    }

    /// Returns the member that was added last; members without an owned check come first.
    fn last_added(&self) -> Option<AddressDigest> {
        let latest = |(member, seen): &(&AddressDigest, &FirstSeen)| {
            (seen.owned.is_none(), seen.owned, seen.first, **member)
        };
        self.members
            .iter()
            .max_by_key(latest)
            .map(|(member, _)| *member)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn digest(number: u16) -> AddressDigest {
        let [high, low] = number.to_be_bytes();
        let mut digest = [0; 16];
        (digest[0], digest[1]) = (high, low);
        AddressDigest(digest)
    }

    const fn timestamp(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn arbitrary_seen() -> impl Strategy<Value = FirstSeen> {
        (0..5_i64, any::<bool>()).prop_map(|(millis, owned)| FirstSeen {
            first: timestamp(millis),
            owned: owned.then_some(timestamp(millis)),
        })
    }

    fn cluster() -> impl Strategy<Value = Cluster> {
        prop::collection::btree_map((0..6_u16).prop_map(digest), arbitrary_seen(), 0..5)
            .prop_map(|members| Cluster { members })
    }

    proptest! {
        #[test]
        fn cluster_join_is_order_independent(a in cluster(), b in cluster(), c in cluster()) {
            prop_assert_eq!(a.clone().join(&b), b.clone().join(&a));
            prop_assert_eq!(a.clone().join(&b).join(&c), a.clone().join(&b.clone().join(&c)));
            prop_assert_eq!(a.clone().join(&a), a);
        }
    }

    #[test]
    fn members_rank_by_first_seen_time() {
        let cluster = Cluster::default()
            .with_member(digest(2), timestamp(10), LayerKind::Unverified)
            .with_member(digest(3), timestamp(20), LayerKind::Owned)
            .with_member(digest(1), timestamp(20), LayerKind::Unverified)
            .with_member(digest(2), timestamp(90), LayerKind::Unverified)
            .with_member(digest(5), timestamp(5), LayerKind::Unverified);
        let rank = |number, layer| cluster.arrival_rank(digest(number), layer);
        assert_eq!(
            [2, 3, 1, 5].map(|number| rank(number, LayerKind::Unverified)),
            [1, 2, 3, 4],
            "whatever the clock says"
        );
        assert_eq!(
            rank(3, LayerKind::Owned),
            1,
            "unverified checks rank after owned ones"
        );
        assert_eq!(
            rank(4, LayerKind::Unverified),
            5,
            "an address outside the cluster ranks last"
        );
    }

    #[test]
    fn full_cluster_drops_latest_unverified_members() {
        let full = (0..600).fold(Cluster::default(), |cluster, number| {
            cluster.with_member(
                digest(number),
                timestamp(number.into()),
                LayerKind::Unverified,
            )
        });
        assert_eq!(full.members.len(), MEMBERS_MAX);
        assert!(
            full.members.contains_key(&digest(511)) && !full.members.contains_key(&digest(512))
        );
        assert_eq!(
            full.arrival_rank(digest(599), LayerKind::Unverified),
            MEMBERS_MAX + 1
        );
        let cluster = full.with_member(digest(999), timestamp(5000), LayerKind::Owned);
        assert!(cluster.members.contains_key(&digest(999)));
        assert_eq!(cluster.arrival_rank(digest(999), LayerKind::Owned), 1);
    }
}
