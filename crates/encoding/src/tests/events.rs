//! Generates events of clients.

use super::snapshots::answer;
use super::strategies::{address, context_id, environment, time};
use proptest::prelude::*;
use proptest::sample::select;
use voight_domain::events::{ClientEvent, EventFeed, EventSubject, EventType, NewEvent};
use voight_domain::vocabulary::{EndpointId, KeyId, SnapshotId};

fn subject() -> impl Strategy<Value = EventSubject> {
    let verdict = (
        context_id(),
        prop::option::of(address()),
        prop::option::of(answer()),
    )
        .prop_map(|(context, address, answer)| EventSubject::Verdict {
            context,
            address,
            answer,
        });
    prop_oneof![
        verdict,
        context_id().prop_map(EventSubject::Context),
        any::<[u8; 16]>().prop_map(|id| EventSubject::Key(KeyId::from_bytes(id))),
        any::<u64>().prop_map(EventSubject::Ledger),
        any::<u32>().prop_map(EventSubject::Invoice),
        any::<[u8; 16]>().prop_map(|id| EventSubject::Snapshot(SnapshotId::from_bytes(id))),
        any::<[u8; 16]>().prop_map(|id| EventSubject::Endpoint(EndpointId::from_bytes(id))),
    ]
}

pub(super) fn client_event() -> impl Strategy<Value = ClientEvent> {
    (
        any::<u64>(),
        time(),
        select(EventType::ALL.to_vec()),
        environment(),
        subject(),
    )
        .prop_map(
            |(number, at, event_type, environment, subject)| ClientEvent {
                number,
                at,
                event: NewEvent {
                    event_type,
                    environment,
                    subject,
                },
            },
        )
}

pub(super) fn event_feed() -> impl Strategy<Value = EventFeed> {
    (any::<u64>(), time(), any::<u64>()).prop_map(|(last, last_at, purged)| EventFeed {
        last,
        last_at,
        purged: purged.min(last),
    })
}
