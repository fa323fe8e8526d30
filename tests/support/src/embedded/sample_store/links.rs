//! Account linkage: a completed check with fingerprints and clusters, and an assigned address.

use super::audit;
use crate::NOW;
use pollster::block_on;
use voight_domain::check::{CheckConclusion, InputDigest, Receipt};
use voight_domain::linkage::{
    ACROSS, ALONG, ClusterKey, ClusterKind, LinkSignals, MovementFingerprint, PathShape,
};
use voight_domain::ports::{CheckStore, Judgement, LinkStore};
use voight_domain::registry::Context;
use voight_domain::secrets::{AddressDigest, NetworkHash};
use voight_domain::verdict::{Assessment, LayerKind};
use voight_domain::vocabulary::{CheckId, EoaAddress, ReceiptId};
use voight_embedded::EmbeddedStore;
use voight_engine::testing::MapEngine;

pub(super) fn link(store: &EmbeddedStore<MapEngine>, context: &Context, number: u8) {
    let cluster = |kind| ClusterKey {
        kind,
        digest: [number; 16],
    };
    // Digest of an address that no test erases.
    let subject = AddressDigest([number.wrapping_add(200); 16]);
    block_on(store.assign(
        &context.id,
        vec![(subject, cluster(ClusterKind::Operator))],
        audit(),
    ))
    .unwrap();
    let address = EoaAddress::from_bytes([number; 20]);
    let shape = PathShape {
        along: [5; ALONG],
        across: [-6; ACROSS],
    };
    let conclusion = CheckConclusion {
        check: CheckId::new(NOW, [number; 10]),
        context: context.id.clone(),
        address,
        layer: LayerKind::Owned,
        judgement: Judgement::Assessed(Assessment::default()),
        inputs: vec![InputDigest([number.wrapping_add(100); 16])],
        link_signals: LinkSignals {
            subject,
            network: Some(NetworkHash([number; 16])),
            device: Some(cluster(ClusterKind::Device)),
            traces: vec![
                MovementFingerprint {
                    by_time: shape,
                    by_length: shape
                };
                2
            ],
        },
        receipt: Some(Receipt {
            id: ReceiptId::from_bytes([number; 16]),
            context: context.id.clone(),
            address,
            origin: "https://quest.example".parse().unwrap(),
            origin_allowlisted: false,
            owned: true,
            environment: context.environment,
            issued_at: NOW,
        }),
    };
    block_on(store.conclude(conclusion)).unwrap();
}
