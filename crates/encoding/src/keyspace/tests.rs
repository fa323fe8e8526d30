use super::*;
use crate::Encode;
use crate::testing::survive;
use proptest::prelude::*;
use voight_domain::check::EvidenceShare;
use voight_domain::registry::{Client, ClientStatus, ContextAccess};
use voight_domain::vocabulary::{CheckId, ClientId, KeyId, Timestamp};

fn time() -> impl Strategy<Value = Timestamp> {
    any::<i64>().prop_map(Timestamp::from_millis)
}

fn client() -> impl Strategy<Value = ClientRecord> {
    let fields = (
        any::<[u8; 16]>(),
        "[a-z]{1,64}",
        any::<Option<u32>>(),
        time(),
        any::<bool>(),
    );
    let client = fields.prop_map(|(id, name, lookup_rate, created_at, is_shared)| Client {
        id: ClientId::from_bytes(id),
        name: name.parse().unwrap(),
        status: ClientStatus::Active,
        origins: Vec::new(),
        lookup_rate,
        contexts: if is_shared {
            ContextAccess::Client
        } else {
            ContextAccess::RegisteringKey
        },
        created_at,
    });
    (any::<u32>(), client).prop_map(|(client_number, client)| ClientRecord {
        client_number: ClientNumber(client_number),
        client,
    })
}

survive! {
    numbered_clients_survive: client();
    heads_survive: (time(), time(), any::<(u64, bool)>(), any::<([u8; 8], [u8; 8])>())
        .prop_map(|(opened_at, keep_until, (bytes, judged), (context, network))| {
            EvidenceSummary { opened_at, keep_until, bytes, judged, share: EvidenceShare { context, network } }
        });
    totals_survive: any::<u64>().prop_map(EvidenceTotal);
    client_totals_survive: any::<u32>().prop_map(ClientCount);
    counts_survive: any::<(u32, u32)>().prop_map(|(keys, contexts)| ClientCounters { keys, contexts });
    context_places_survive: any::<(u32, u32)>()
        .prop_map(|(client_number, number)| ContextLocation { client_number: ClientNumber(client_number), number });
    key_places_survive: any::<(u32, [u8; 16])>()
        .prop_map(|(client_number, key)| ApiKeyLocation { client_number: ClientNumber(client_number), key: KeyId::from_bytes(key) });
    key_owners_survive: any::<u32>().prop_map(|client_number| ApiKeyIndex(ClientNumber(client_number)));
    name_owners_survive: any::<[u8; 16]>().prop_map(|id| ClientNameIndex(ClientId::from_bytes(id)));
    input_owners_survive: any::<[u8; 16]>().prop_map(|id| PresentedInputIndex(CheckId::from_bytes(id)));
    marks_survive: Just(EvidenceByExpiry);
}

proptest! {
    #[test]
    fn decoders_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), version in 0..4_u8) {
        let bytes = [&[version][..], &bytes].concat();
        macro_rules! decode {
            ($($record:ty),*) => { $(let _ = <$record>::decode(&bytes);)* };
        }
        decode!(
            ClientRecord, EvidenceSummary, EvidenceTotal, ClientCount, ClientCounters, ContextLocation, ApiKeyLocation, ApiKeyIndex, ClientNameIndex,
            PresentedInputIndex, EvidenceByExpiry, UnjudgedCheck, DueEndpoint
        );
    }
}

#[test]
fn evidence_summary_format_1_never_changes() {
    let [opened_at, keep_until] = [1000, 2000].map(Timestamp::from_millis);
    let share = EvidenceShare {
        context: [0xcc; 8],
        network: [0xee; 8],
    };
    let head = EvidenceSummary {
        opened_at,
        keep_until,
        bytes: 300,
        judged: true,
        share,
    };
    assert_eq!(
        data_encoding::HEXLOWER.encode(&head.encode()),
        "01d00fa01fac0201cccccccccccccccceeeeeeeeeeeeeeee"
    );
}

proptest! {
    #[test]
    fn segment_expires_after_its_last_record(begin in -1_000_000_000_000..4_000_000_000_000_i64, end: i64) {
        const HOUR: i64 = 3_600_000;
        let segment = Segment(Timestamp::from_millis(begin));
        let until = Timestamp::from_millis(end);
        prop_assert_eq!(segment.accepts(until), (begin..begin + HOUR).contains(&end));
        prop_assert_eq!(segment.is_expired(until), end >= begin + HOUR);
        prop_assert!(Segment::for_hour(until).accepts(until));
    }
}

#[test]
fn segment_is_named_by_its_first_hour() {
    for (until, run) in [
        (0, 0),
        (3_599_999, 0),
        (3_600_000, 3_600_000),
        (-1, -3_600_000),
    ] {
        assert_eq!(
            Segment::for_hour(Timestamp::from_millis(until)),
            Segment(Timestamp::from_millis(run))
        );
    }
}
