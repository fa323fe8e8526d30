//! Generates webhook endpoints and records of deliveries.

use super::strategies::{context_id, environment, time};
use proptest::collection::{btree_map, btree_set};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use std::time::Duration;
use voight_domain::events::EventTypeSet;
use voight_domain::vocabulary::{ClientId, EndpointId};
use voight_domain::webhooks::{
    AttemptError, AttemptOutcome, DeliveryLog, DeliveryRecord, DeliveryState, DisabledReason,
    Endpoint, EndpointRecord, EndpointState, EventFilter, FailureRun, PendingDelivery, ReplayRange,
    SignatureKind,
};

fn duration() -> impl Strategy<Value = Duration> {
    any::<u64>().prop_map(Duration::from_millis)
}

fn filter() -> impl Strategy<Value = EventFilter> {
    (any::<u64>(), btree_set(context_id(), 0..4)).prop_map(|(bits, contexts)| EventFilter {
        types: EventTypeSet::from_bits(bits),
        contexts,
    })
}

fn state() -> impl Strategy<Value = EndpointState> {
    prop_oneof![
        Just(EndpointState::Active),
        Just(EndpointState::Paused),
        (select(DisabledReason::ALL.to_vec()), time())
            .prop_map(|(reason, at)| EndpointState::Disabled { reason, at }),
    ]
}

fn endpoint() -> impl Strategy<Value = Endpoint> {
    let ids = any::<([u8; 16], [u8; 16])>();
    let key = (
        select(SignatureKind::ALL.to_vec()),
        any::<u32>(),
        option::of(time()),
    );
    (
        ids,
        environment(),
        ".{0,40}",
        filter(),
        key,
        time(),
        state(),
    )
        .prop_map(
            |((id, client), environment, url, filter, key, created_at, state)| {
                let (signature_kind, generation, rotated_at) = key;
                Endpoint {
                    id: EndpointId::from_bytes(id),
                    client: ClientId::from_bytes(client),
                    environment,
                    url,
                    filter,
                    signature_kind,
                    generation,
                    rotated_at,
                    created_at,
                    state,
                }
            },
        )
}

fn pending() -> impl Strategy<Value = PendingDelivery> {
    (any::<u8>(), time(), time()).prop_map(|(failures, due_at, decided_at)| PendingDelivery {
        failures,
        due_at,
        decided_at,
    })
}

fn failure_run() -> impl Strategy<Value = FailureRun> {
    (time(), time(), duration(), any::<bool>(), time()).prop_map(
        |(since, last_at, duration, is_reported, paused_until)| FailureRun {
            since,
            last_at,
            duration,
            is_reported,
            paused_until,
        },
    )
}

fn delivery() -> impl Strategy<Value = DeliveryState> {
    let replay = option::of(any::<(u64, u64)>());
    (
        any::<u64>(),
        replay,
        btree_map(any::<u64>(), pending(), 0..5),
        option::of(failure_run()),
    )
        .prop_map(|(cursor, replay, pending, failure_run)| DeliveryState {
            cursor,
            replay: replay.map(|(next, end)| ReplayRange { next, end }),
            pending,
            failure_run,
        })
}

pub(super) fn endpoint_record() -> impl Strategy<Value = EndpointRecord> {
    (
        endpoint(),
        delivery(),
        any::<(u64, u64)>(),
        option::of(time()),
        option::of(time()),
    )
        .prop_map(
            |(endpoint, delivery, (last, purged), leased_until, due_at)| EndpointRecord {
                endpoint,
                delivery,
                log: DeliveryLog {
                    last,
                    purged: purged.min(last),
                },
                leased_until,
                due_at,
            },
        )
}

pub(super) fn delivery_record() -> impl Strategy<Value = DeliveryRecord> {
    let outcome = prop_oneof![
        (any::<u16>(), option::of(duration())).prop_map(|(status, retry_after)| {
            AttemptOutcome::Answered {
                status,
                retry_after,
            }
        }),
        select(AttemptError::ALL.to_vec()).prop_map(AttemptOutcome::Failed),
    ];
    (any::<(u64, u8)>(), time(), duration(), outcome, ".{0,80}").prop_map(
        |((event, attempt), at, duration, outcome, response)| DeliveryRecord {
            event,
            attempt,
            at,
            duration,
            outcome,
            response,
        },
    )
}
