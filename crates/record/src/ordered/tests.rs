use super::*;
use crate::Encoded;
use crate::testing::survive;
use proptest::prelude::*;
use voight_domain::registry::{Client, ClientStatus};
use voight_domain::vocabulary::{CheckId, ClientId, KeyId, Timestamp};

fn time() -> impl Strategy<Value = Timestamp> {
    any::<i64>().prop_map(Timestamp::from_millis)
}

fn client() -> impl Strategy<Value = NumberedClient> {
    let fields = (any::<[u8; 16]>(), "[a-z]{1,64}", any::<Option<u32>>(), time());
    let client = fields.prop_map(|(id, name, lookup_rate, created_at)| Client {
        id: ClientId::from_bytes(id),
        name: name.parse().unwrap(),
        status: ClientStatus::Active,
        origins: Vec::new(),
        lookup_rate,
        created_at,
    });
    (any::<u32>(), client).prop_map(|(tenant, client)| NumberedClient { tenant: Tenant(tenant), client })
}

survive! {
    numbered_clients_survive: client();
    heads_survive: (time(), prop::option::of(time()), any::<(u64, bool)>())
        .prop_map(|(opened_at, keep_until, (bytes, settled))| EvidenceHead { opened_at, keep_until, bytes, settled });
    totals_survive: any::<u64>().prop_map(EvidenceTotal);
    client_totals_survive: any::<u32>().prop_map(ClientTotal);
    counts_survive: any::<(u32, u32)>().prop_map(|(keys, contexts)| Counts { keys, contexts });
    context_places_survive: any::<(u32, u32)>()
        .prop_map(|(tenant, number)| ContextPlace { tenant: Tenant(tenant), number });
    key_places_survive: any::<(u32, [u8; 16])>()
        .prop_map(|(tenant, key)| KeyPlace { tenant: Tenant(tenant), key: KeyId::from_bytes(key) });
    key_owners_survive: any::<u32>().prop_map(|tenant| KeyOwner(Tenant(tenant)));
    name_owners_survive: any::<[u8; 16]>().prop_map(|id| NameOwner(ClientId::from_bytes(id)));
    input_owners_survive: any::<[u8; 16]>().prop_map(|id| InputOwner(CheckId::from_bytes(id)));
    marks_survive: Just(Due);
}

proptest! {
    #[test]
    fn no_bytes_make_a_decoder_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), version in 0..3_u8) {
        let bytes = [&[version][..], &bytes].concat();
        macro_rules! decode {
            ($($record:ty),*) => { $(let _ = <$record>::decode(&bytes);)* };
        }
        decode!(
            NumberedClient, EvidenceHead, EvidenceTotal, ClientTotal, Counts, ContextPlace, KeyPlace, KeyOwner, NameOwner,
            InputOwner, Aged, ClaimEnd, Due, Unsettled
        );
    }
}

#[test]
fn format_2_never_changes() {
    let [opened_at, end] = [1000, 2000].map(Timestamp::from_millis);
    let head = EvidenceHead { opened_at, keep_until: None, bytes: 300, settled: true };
    assert_eq!(data_encoding::HEXLOWER.encode(&head.encode()), "01d00fac0201");
    let head = EvidenceHead { keep_until: Some(end), ..head };
    assert_eq!(data_encoding::HEXLOWER.encode(&head.encode()), "02d00fa01fac0201");
}
