mod backup;

use super::*;
use crate::{FORMAT, IdentityInit, StoreLocation, attach_database, load_or_create, table};
use pollster::block_on;
use voight_domain::metering::{LedgerId, LookupRequest, MeterRules};
use voight_domain::ports::{
    AdminStore, BillingStore, CheckStore, Health, LookupStore, Override, RegistryStore, StoreError,
};
use voight_domain::registry::{
    Actor, AuditAction, AuditEntry, Client, ClientChange, ClientStatus, Context, ContextAccess,
    ContextSettings, Key, KeySecret, MinConfidence,
};
use voight_domain::secrets::{AddressDigest, DigestKey, KeyDigest, PepperCommitment};
use voight_domain::verdict::OverrideTo;
use voight_domain::vocabulary::{ClientId, ContextId, Environment, EoaAddress, KeyId, ScopeSet};
use voight_engine::EngineError;
use voight_engine::testing::{FailedBatch, FaultyEngine, Map};
use voight_support::{FixedClock, NOW};

const DIGEST: KeyDigest = KeyDigest([3; 32]);
const ADDRESS: EoaAddress = EoaAddress::from_bytes([0xab; 20]);

fn open(main: &FaultyEngine, evidence: &FaultyEngine) -> EmbeddedStore<FaultyEngine> {
    let identity_init = IdentityInit {
        pepper: PepperCommitment([7; 16]),
        now: NOW,
        entropy: [1; 10],
        format: FORMAT,
    };
    let identity = load_or_create(
        main,
        None,
        &identity_init,
        StoreLocation {
            place: "map",
            sidecar: "map.id",
        },
    )
    .unwrap();
    attach_database(evidence, &identity, "map.evidence").unwrap();
    let main = main.clone();
    let evidence = evidence.clone();
    let clock = Arc::new(FixedClock);
    EmbeddedStore::start(StoreParts {
        main,
        evidence,
        identity,
        clock,
        evidence_max_bytes: 1 << 20,
    })
    .unwrap()
}

fn audit() -> AuditEntry {
    AuditEntry {
        at: NOW,
        actor: Actor::Operator,
        action: AuditAction::ClientChanged,
        subject: String::new(),
        detail: String::new(),
    }
}

fn context_id() -> ContextId {
    ContextId::new(&"quest".parse().unwrap(), NOW, [5; 10])
}

/// Creates a client with an API key, a context and a verdict.
fn fill(store: &EmbeddedStore<FaultyEngine>) -> ClientId {
    let id = ClientId::from_bytes([1; 16]);
    let client = Client {
        id,
        name: "one".parse().unwrap(),
        status: ClientStatus::Active,
        origins: vec![],
        lookup_rate: None,
        contexts: ContextAccess::default(),
        created_at: NOW,
    };
    block_on(store.create_client(client, audit())).unwrap();
    let key = Key {
        id: KeyId::from_bytes([2; 16]),
        number: 0,
        client: id,
        environment: Environment::Live,
        scopes: ScopeSet::all(),
        networks: vec![],
        secrets: vec![KeySecret {
            digest: DIGEST,
            hint: String::new(),
            valid_until: None,
        }],
        created_at: NOW,
        expires_at: None,
        revoked_at: None,
        label: None,
        last_used_at: None,
        expiry_reported_at: None,
    };
    let key = block_on(store.create_key(key, audit())).unwrap().unwrap();
    let context = Context {
        id: context_id(),
        number: 0,
        client: id,
        key: key.id,
        environment: Environment::Live,
        settings: ContextSettings::default(),
        created_at: NOW,
        archived_at: None,
    };
    block_on(store.register_context(context, None, audit())).unwrap();
    let tau = MinConfidence::default().flag_threshold();
    let digest = AddressDigest([1; 16]);
    let reason = String::new();
    let change = Override {
        context: context_id(),
        address: ADDRESS,
        digest,
        verdict: OverrideTo::Bot,
        tau,
        reason,
    };
    block_on(store.override_verdict(change, audit())).unwrap();
    id
}

#[test]
fn damaged_record_is_reported_and_not_served() {
    let engines = (FaultyEngine::default(), FaultyEngine::default());
    fill(&open(&engines.0, &engines.1));
    let key = table::verdict(
        table::ContextKey {
            client_number: table::ClientNumber(1),
            number: 1,
        },
        &ADDRESS,
    )
    .key;
    let length = engines.0.entries()[&key].len();
    for bit in 0..length * 8 {
        let flip = |map: &mut Map| {
            if let Some(value) = map.get_mut(&key) {
                value[bit / 8] ^= 1 << (bit % 8);
            }
        };
        engines.0.modify_entries(flip);
        let store = open(&engines.0, &engines.1);
        let verdict = block_on(store.verdict(&context_id(), &ADDRESS));
        assert!(
            matches!(&verdict, Err(StoreError::Corrupt(what)) if what.contains("table verdict")),
            "{verdict:?}"
        );
        assert!(matches!(store.health(), Health::Failed(why) if why.contains("table verdict")));
        assert!(matches!(
            block_on(store.append_audit(audit())),
            Err(StoreError::Fatal(_))
        ));
        engines.0.modify_entries(flip);
    }
}

#[test]
fn record_under_another_key_is_not_served() {
    let engines = (FaultyEngine::default(), FaultyEngine::default());
    let store = open(&engines.0, &engines.1);
    fill(&store);
    let context_key = table::ContextKey {
        client_number: table::ClientNumber(1),
        number: 1,
    };
    let other_address = EoaAddress::from_bytes([0xcd; 20]);
    engines.0.modify_entries(|map| {
        let value = map[&table::verdict(context_key, &ADDRESS).key].clone();
        map.insert(table::verdict(context_key, &other_address).key, value);
    });
    assert!(matches!(
        block_on(store.verdict(&context_id(), &other_address)),
        Err(StoreError::Corrupt(_))
    ));
}

/// Call to a store.
type Ask<'a> = &'a dyn Fn(&EmbeddedStore<FaultyEngine>) -> Result<(), StoreError>;

#[test]
fn last_cursor_is_not_the_first_page() {
    let lookup = |store: &EmbeddedStore<FaultyEngine>| {
        let request = LookupRequest {
            key: DIGEST,
            context: context_id(),
            address: ADDRESS,
            address_key: DigestKey::from_bytes([1; 32]),
            nonce: [0; 16],
            idempotency: None,
            rules: MeterRules::default(),
            is_detailed: false,
        };
        block_on(store.answer(request)).map(drop)
    };
    let engines = (FaultyEngine::default(), FaultyEngine::default());
    let store = open(&engines.0, &engines.1);
    let client = fill(&store);
    lookup(&store).unwrap();
    drop(store);
    let client_number = table::ClientNumber(1);
    let cases: [(&str, Vec<u8>, Ask<'_>); 4] = [
        (
            "meter",
            table::meter(client_number, Environment::Live).key,
            &lookup,
        ),
        (
            "meter",
            table::meter(client_number, Environment::Live).key,
            &|store| block_on(store.meter(LedgerId::live(client))).map(drop),
        ),
        ("end of the audit log", table::audit_head().key, &|store| {
            block_on(store.append_audit(audit()))
        }),
        ("end of the audit log", table::audit_head().key, &|store| {
            block_on(store.audit_head()).map(drop)
        }),
    ];
    for (name, key, ask) in cases {
        let record = engines.0.entries()[&key].clone();
        engines.0.modify_entries(|map| drop(map.remove(&key)));
        let store = open(&engines.0, &engines.1);
        let error = ask(&store).unwrap_err();
        assert!(
            error.to_string().contains(&format!("table {name}")),
            "{error}"
        );
        assert!(
            matches!(store.health(), Health::Failed(_)),
            "nothing is acknowledged on it any more"
        );
        engines
            .0
            .modify_entries(|map| drop(map.insert(key, record)));
    }
}

#[test]
fn cached_key_is_invalidated_by_every_change() {
    let engines = (FaultyEngine::default(), FaultyEngine::default());
    let store = open(&engines.0, &engines.1);
    let id = fill(&store);
    assert!(
        !block_on(store.key_by_digest(DIGEST))
            .unwrap()
            .unwrap()
            .is_suspended()
    );
    block_on(store.change_client(id, ClientChange::Status(ClientStatus::Suspended), audit()))
        .unwrap();
    assert!(
        block_on(store.key_by_digest(DIGEST))
            .unwrap()
            .unwrap()
            .is_suspended()
    );
}

#[test]
fn outdated_value_is_not_cached() {
    let engines = (FaultyEngine::default(), FaultyEngine::default());
    let store = open(&engines.0, &engines.1);
    let id = fill(&store);
    let slow = || {
        let cached_key = store
            .main
            .read(|view| crate::lookup_cache::load_key(view, DIGEST))?;
        // The change is committed between the read and the insertion into the cache.
        block_on(store.change_client(id, ClientChange::Status(ClientStatus::Suspended), audit()))?;
        Ok(cached_key)
    };
    store.lookup_cache.invalidate(&{
        let mut batch = voight_engine::Batch::default();
        batch.remove(table::client(id).key);
        batch
    });
    assert!(
        !store
            .lookup_cache
            .keys
            .get_or_load(&DIGEST, slow)
            .unwrap()
            .unwrap()
            .key
            .is_suspended()
    );
    assert!(
        block_on(store.key_by_digest(DIGEST))
            .unwrap()
            .unwrap()
            .is_suspended()
    );
}

#[test]
fn lookups_stop_on_a_broken_evidence_disk_only() {
    let engines = (FaultyEngine::default(), FaultyEngine::default());
    let store = open(&engines.0, &engines.1);
    let write = || {
        block_on(store.evidence.write(|transaction| {
            transaction.put(table::evidence_total(), &crate::record::EvidenceTotal(1));
            Ok(())
        }))
    };
    engines
        .1
        .fail_apply(EngineError::Full("no space".into()), FailedBatch::Discarded);
    assert!(matches!(write(), Err(StoreError::Full(_))));
    assert_eq!(store.health(), Health::Ready);
    engines
        .1
        .fail_apply(EngineError::Io("gone".into()), FailedBatch::Discarded);
    assert!(matches!(write(), Err(StoreError::MaybeApplied(_))));
    assert!(matches!(store.health(), Health::Failed(why) if why.contains("evidence")));
    assert!(matches!(
        block_on(store.append_audit(audit())),
        Err(StoreError::Fatal(_))
    ));
}

#[test]
fn broken_main_disk_stops_evidence() {
    let engines = (FaultyEngine::default(), FaultyEngine::default());
    let store = open(&engines.0, &engines.1);
    engines
        .0
        .fail_apply(EngineError::Io("gone".into()), FailedBatch::Discarded);
    assert!(matches!(
        block_on(store.append_audit(audit())),
        Err(StoreError::MaybeApplied(_))
    ));
    let write_result = block_on(store.evidence.write(|_| Ok(())));
    assert!(matches!(write_result, Err(StoreError::Fatal(why)) if why.contains("gone")));
}
