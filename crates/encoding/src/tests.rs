mod check_counts;
mod endpoints;
mod events;
mod links;
mod money;
mod snapshots;
mod strategies;
mod users;

use super::*;
use crate::testing::survive;
use check_counts::{check_counts, site_counts};
use endpoints::{delivery_record, endpoint_record};
use events::{client_event, event_feed};
use links::{link, page};
use money::{account, adjustment, alert, ended_period, invoice, price_book};
use proptest::prelude::*;
use snapshots::{slice, snapshot};
use strategies::{
    address, admin_token, audit, client, concluded, context, event, evidence, idempotency_record,
    key, label, tombstone, verdict,
};
use users::user;
use voight_domain::billing::PriceBook;
use voight_domain::check::{CheckCounts, Concluded, EvidenceBatch, SiteCounts};
use voight_domain::codec::{DecodeError, Encoder};
use voight_domain::events::{ClientEvent, EventFeed};
use voight_domain::invoicing::{Account, Adjustment, Invoice};
use voight_domain::linkage::FingerprintPage;
use voight_domain::metering::{
    Alert, ChainHead, EndedPeriod, IdempotencyRecord, LedgerRow, MeterState, Opening,
};
use voight_domain::registry::{
    AdminToken, AuditEntry, AuditHead, Client, ClientStatus, Context, ContextAccess, Key, User,
};
use voight_domain::snapshot::{Snapshot, SnapshotSlice};
use voight_domain::verdict::{
    DayCount, Event, Label, Layer, LayerRemnant, Nats, OverrideTo, Tombstone, Verdict, Versions,
};
use voight_domain::vocabulary::{ClientId, Timestamp};
use voight_domain::webhooks::{DeliveryRecord, EndpointRecord};

survive! {
    clients_survive: client();
    keys_survive: key();
    contexts_survive: context();
    verdicts_survive: verdict();
    events_survive: event();
    conclusions_survive: concluded();
    idempotency_records_survive: idempotency_record();
    audit_entries_survive: audit();
    ends_of_the_audit_survive: any::<(u64, [u8; 32])>().prop_map(|(seq, head)| AuditHead { seq, head: ChainHead(head) });
    evidence_survives: evidence();
    tombstones_survive: tombstone();
    labels_survive: label();
    admin_tokens_survive: admin_token();
    users_survive: user();
    openings_survive: (any::<[u8; 16]>(), address()).prop_map(|(nonce, address)| Opening { nonce, address });
    price_books_survive: price_book();
    ended_periods_survive: ended_period();
    invoices_survive: invoice();
    adjustments_survive: adjustment();
    accounts_survive: account();
    alerts_survive: alert();
    pages_of_traces_survive: page();
    clusters_survive: link();
    snapshots_survive: snapshot();
    slices_of_snapshots_survive: slice();
    client_events_survive: client_event();
    event_feeds_survive: event_feed();
    endpoints_survive: endpoint_record();
    deliveries_survive: delivery_record();
    check_counts_survive: site_counts();
    check_totals_survive: check_counts();
}

proptest! {
    #[test]
    fn decoders_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), version in 0..3_u8) {
        let bytes = [&[version][..], &bytes].concat();
        macro_rules! decode {
            ($($record:ty),*) => { $(let _ = <$record>::decode(&bytes);)* };
        }
        decode!(
            Client, Key, Context, Verdict, Event, Concluded, IdempotencyRecord, AuditEntry, AuditHead, EvidenceBatch, Opening,
            Tombstone, LedgerRow, MeterState, PriceBook, EndedPeriod, Invoice, Adjustment, Account, Alert, Label, FingerprintPage,
            LinkRecord, AdminToken, Snapshot, SnapshotSlice, ClientEvent, EventFeed, CheckCounts,
            SiteCounts, EndpointRecord, DeliveryRecord, User
        );
    }
}

proptest! {
    #[test]
    fn unreported_key_keeps_its_format(key in key(), reported_at in any::<i64>()) {
        let unreported_key = Key { expiry_reported_at: None, ..key };
        let bytes = unreported_key.encode();
        prop_assert_eq!(bytes[0], VERSION);
        let expiry_reported_at = Some(Timestamp::from_millis(reported_at));
        let reported_key = Key { expiry_reported_at, ..unreported_key };
        let reported_bytes = reported_key.encode();
        prop_assert_eq!(reported_bytes[0], 2);
        prop_assert_eq!(&reported_bytes[1..bytes.len()], &bytes[1..]);
        prop_assert!(reported_bytes.len() > bytes.len());
        prop_assert_eq!(Key::decode(&reported_bytes), Ok(reported_key));
    }
}

#[test]
fn records_have_one_encoding() {
    // A key that consists of zeros with its scopes, followed by the texts of its networks.
    let key = |scopes: u8, networks: &[&str]| {
        let mut bytes = Encoder::versioned(VERSION);
        bytes
            .fixed(&[0; 16])
            .uint(0)
            .fixed(&[0; 16])
            .u8(0)
            .u8(scopes);
        bytes.list(networks, |bytes, network| {
            bytes.str(network);
        });
        bytes.fixed(&[0; 6]).finish()
    };
    assert!(Key::decode(&key(7, &["2001:db8::/32"])).is_ok());
    assert_eq!(
        Key::decode(&key(32, &[])),
        Err(DecodeError::OutOfRange("the scopes of a key"))
    );
    assert_eq!(
        Key::decode(&key(7, &["2001:0db8::/32"])),
        Err(DecodeError::OutOfRange("a network"))
    );
    let empty_layer = [VERSION, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(
        Verdict::decode(&empty_layer),
        Err(DecodeError::OutOfRange("an empty layer"))
    );
}

#[test]
fn ordinary_verdict_is_small() {
    let day = DayCount {
        date: 20_778,
        checks: 1,
    };
    let versions = Versions {
        policy: 3,
        model: 2,
    };
    let unverified_layer = Layer {
        human: Nats::from_milli(1500),
        conclusive_checks: 1,
        today: day,
        versions,
        ..Layer::default()
    };
    assert_eq!(
        Verdict {
            epoch: 0,
            owned: Layer::default(),
            unverified: unverified_layer,
            looked_up: false,
        }
        .encode()
        .len(),
        14
    );
}

#[test]
fn format_1_never_changes() {
    // Stores contain these bytes: if this fails, the layout has changed and needs a new version.
    let at = Some(Timestamp::from_millis(1000));
    let day = DayCount {
        date: 20_000,
        checks: 2,
    };
    let versions = Versions {
        policy: 3,
        model: 1,
    };
    let bot = Nats::from_milli(6000);
    let owned_layer = Layer {
        flagged: true,
        bot,
        human: Nats::ZERO,
        first_flagged_at: at,
        conclusive_checks: 2,
        today: day,
        versions,
        ..Layer::default()
    };
    let verdict = Verdict {
        epoch: 1,
        owned: owned_layer,
        unverified: Layer::default(),
        looked_up: false,
    };
    assert_eq!(
        data_encoding::HEXLOWER.encode(&verdict.encode()),
        "010107e05d00d00f02c0b802020301".to_owned() + "00"
    );
    let decision = Some(OverrideTo::Human);
    let unverified_layer = Layer {
        decision,
        last_check_at: at,
        ..Layer::default()
    };
    let overridden_verdict = Verdict {
        owned: Layer {
            decision: Some(OverrideTo::Bot),
            last_check_at: at,
            ..owned_layer
        },
        unverified: unverified_layer,
        epoch: 1,
        looked_up: true,
    };
    let expected_hex =
        "02011fe05d00d00f02c0b80202030101d00f".to_owned() + "1900000000000000" + "00d00f";
    assert_eq!(
        data_encoding::HEXLOWER.encode(&overridden_verdict.encode()),
        expected_hex
    );
}

#[test]
fn tombstone_format_1_never_changes() {
    let unverified_remnant = LayerRemnant {
        flagged: true,
        bot: Nats::from_milli(6000),
        covered: false,
        is_decided: false,
    };
    let tombstone = Tombstone {
        owned: LayerRemnant {
            covered: true,
            ..LayerRemnant::default()
        },
        unverified: unverified_remnant,
    };
    assert_eq!(
        data_encoding::HEXLOWER.encode(&tombstone.encode()),
        "01020001e05d"
    );
    let overridden_tombstone = Tombstone {
        unverified: LayerRemnant {
            is_decided: true,
            ..unverified_remnant
        },
        ..tombstone
    };
    assert_eq!(
        data_encoding::HEXLOWER.encode(&overridden_tombstone.encode()),
        "01020005e05d"
    );
}

#[test]
fn client_format_1_never_changes() {
    let client = |contexts| Client {
        id: ClientId::from_bytes([1; 16]),
        name: "acme".parse().unwrap(),
        status: ClientStatus::Active,
        origins: Vec::new(),
        lookup_rate: None,
        contexts,
        created_at: Timestamp::from_millis(1000),
    };
    let hex = |contexts| data_encoding::HEXLOWER.encode(&client(contexts).encode());
    let fields = format!("{}0461636d65000000d00f", "01".repeat(16));
    assert_eq!(hex(ContextAccess::RegisteringKey), format!("01{fields}00"));
    assert_eq!(hex(ContextAccess::Client), format!("01{fields}01"));
}
