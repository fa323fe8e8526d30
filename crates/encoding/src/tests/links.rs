//! Generates fingerprints and clusters.

use super::strategies::{cluster_kind, time};
use crate::LinkRecord;
use proptest::prelude::*;
use voight_domain::linkage::{
    ACROSS, ALONG, Cluster, ClusterKey, FingerprintPage, FirstSeen, IndexedCheck,
    MovementFingerprint, PathShape,
};
use voight_domain::secrets::{AddressDigest, NetworkHash};
use voight_domain::vocabulary::CheckId;

fn shape() -> impl Strategy<Value = PathShape> {
    (any::<[i8; ALONG]>(), any::<[i8; ACROSS]>())
        .prop_map(|(along, across)| PathShape { along, across })
}

fn check() -> impl Strategy<Value = IndexedCheck> {
    let trace = (shape(), shape())
        .prop_map(|(by_time, by_length)| MovementFingerprint { by_time, by_length });
    (
        any::<[[u8; 16]; 3]>(),
        time(),
        prop::collection::vec(trace, 0..3),
    )
        .prop_map(|([check, owner, network], at, traces)| IndexedCheck {
            check: CheckId::from_bytes(check),
            at,
            owner: AddressDigest(owner),
            network: NetworkHash(network),
            traces,
        })
}

pub(super) fn page() -> impl Strategy<Value = FingerprintPage> {
    prop::collection::vec(check(), 1..4).prop_map(FingerprintPage)
}

pub(super) fn link() -> impl Strategy<Value = LinkRecord> {
    let first_seen =
        (time(), prop::option::of(time())).prop_map(|(first, owned)| FirstSeen { first, owned });
    let members =
        prop::collection::btree_map(any::<[u8; 16]>().prop_map(AddressDigest), first_seen, 1..4);
    let members = members.prop_map(|members| LinkRecord::Members(Cluster { members }));
    let assignment = (any::<[u8; 16]>(), cluster_kind(), any::<[u8; 16]>()).prop_map(
        |(member, kind, digest)| LinkRecord::Assigned {
            member: AddressDigest(member),
            cluster: ClusterKey { kind, digest },
        },
    );
    prop_oneof![members, assignment]
}
