//! Store on plain maps with records in every table.

mod check_counts;
mod endpoints;
mod links;
mod snapshots;
mod users;

use crate::{FixedClock, NOW};
use pollster::block_on;
use std::sync::Arc;
use std::time::Duration;
use voight_domain::billing::{Currency, Money};
use voight_domain::check::{
    AddressFamily, Challenge, CheckConclusion, EvidenceBatch, InputDigest, RequestMetadata,
};
use voight_domain::invoicing::{AdjustmentKind, CloseScope, NewAdjustment};
use voight_domain::linkage::LinkSignals;
use voight_domain::metering::{IdempotencyInput, LookupOutcome, LookupRequest, MeterRules};
use voight_domain::ports::{
    AdminStore, AdminTokenStore, BillingStore, CheckStore, EraseMode, Erasure, ErasureScope,
    ErasureStore, EvidenceStore, Judgement, LabelRecord, LabelStore, LookupStore, Override,
    RegistryStore,
};
use voight_domain::registry::{
    Actor, AdminToken, AuditAction, AuditEntry, Client, ClientStatus, Context, ContextAccess,
    ContextSettings, Key, KeySecret, MinConfidence, PressCount, Role,
};
use voight_domain::secrets::{
    AddressDigest, DigestKey, IdempotencyDigest, KeyDigest, NetworkHash, Pepper,
};
use voight_domain::verdict::{Assessment, Label, LayerKind, OverrideTo, Truth};
use voight_domain::vocabulary::{
    AdminTokenId, CheckId, ClientId, ContextId, Environment, EoaAddress, KeyId, ScopeSet,
};
use voight_embedded::{
    EmbeddedStore, FORMAT, Identity, IdentityInit, StoreLocation, StoreParts, attach_database,
    load_or_create, write_dump,
};
use voight_engine::Engine;
use voight_engine::testing::MapEngine;

const CONTEXTS: u8 = 2;
const LOOKUPS: u8 = 7;

/// Store on maps, and its identity.
pub struct SampleStore {
    /// Main database.
    pub main: MapEngine,
    /// Database of raw evidence.
    pub evidence: MapEngine,
    /// Identity in both databases.
    pub identity: Identity,
}

impl SampleStore {
    /// Creates an empty store.
    pub fn empty() -> Self {
        let main = MapEngine::default();
        let evidence = MapEngine::default();
        let pepper = Pepper::from_bytes([7; 32]).commitment();
        let identity_init = IdentityInit {
            pepper,
            now: NOW,
            entropy: [1; 10],
            format: FORMAT,
        };
        let identity = load_or_create(
            &main,
            None,
            &identity_init,
            StoreLocation {
                place: "map",
                sidecar: "map.id",
            },
        )
        .unwrap();
        attach_database(&evidence, &identity, "map.evidence").unwrap();
        Self {
            main,
            evidence,
            identity,
        }
    }

    /// Creates a store with two clients and all their data. Each has API keys, contexts, lookups, idempotency records, verdicts,
    /// checks, evidence and a webhook endpoint. There is one user.
    pub fn filled() -> Self {
        let sample = Self::empty();
        let store = sample.start();
        for number in 1..=2 {
            fill(&store, number);
        }
        let rotation_entry = AuditEntry {
            action: AuditAction::SigningKeyRotated,
            ..audit()
        };
        block_on(store.activate_signing_key(1, rotation_entry)).unwrap();
        let token = AdminToken {
            id: AdminTokenId::from_bytes([5; 16]),
            name: "ci".parse().unwrap(),
            role: Role::Analyst,
            generation: 1,
            created_at: NOW,
            revoked_at: Some(NOW),
        };
        let creation_entry = AuditEntry {
            action: AuditAction::AdminTokenCreated,
            subject: token.id.to_string(),
            ..audit()
        };
        block_on(store.create_admin_token(token, creation_entry)).unwrap();
        users::create(&store, audit());
        sample
    }

    /// Starts the store.
    pub fn start(&self) -> EmbeddedStore<MapEngine> {
        let main = self.main.clone();
        let evidence = self.evidence.clone();
        let parts = StoreParts {
            main,
            evidence,
            identity: self.identity,
            clock: Arc::new(FixedClock),
            evidence_max_bytes: 1 << 20,
        };
        EmbeddedStore::start(parts).unwrap()
    }

    /// Returns the dump of the store.
    pub fn dump(&self) -> Vec<u8> {
        let main = self.main.snapshot().unwrap();
        let evidence = self.evidence.snapshot().unwrap();
        let mut dump = Vec::new();
        write_dump(&self.identity, &main, Some(&evidence), &mut dump).unwrap();
        dump
    }
}

fn fill(store: &EmbeddedStore<MapEngine>, number: u8) {
    let client = Client {
        id: ClientId::from_bytes([number; 16]),
        name: format!("client {number}").parse().unwrap(),
        status: ClientStatus::Active,
        origins: vec!["https://quest.example".parse().unwrap()],
        lookup_rate: None,
        contexts: ContextAccess::default(),
        created_at: NOW,
    };
    let client = block_on(store.create_client(client, audit())).unwrap();
    let endpoint = endpoints::create(store, client.id, audit());
    let [live, _] =
        [(Environment::Live, 10), (Environment::Sandbox, 20)].map(|(environment, first)| {
            let key = key(client.id, environment, first + number);
            block_on(store.create_key(key, audit())).unwrap().unwrap()
        });
    for place in 0..CONTEXTS {
        let context = context(&live, number * 10 + place);
        block_on(store.register_context(
            context.clone(),
            Some(idempotency(number * 10 + place, 1)),
            audit(),
        ))
        .unwrap();
        for lookup in 0..LOOKUPS {
            let outcome =
                block_on(store.answer(request(&live, &context, (place, lookup)))).unwrap();
            assert!(
                matches!(outcome, LookupOutcome::Recorded { .. }),
                "{outcome:?}"
            );
        }
        check(store, &context, number * 10 + place);
        check_counts::add(store, &context.id);
        links::link(store, &context, number * 10 + place);
        snapshots::take(store, &live, &context, number * 10 + place);
    }
    endpoints::deliver(store, endpoint);
    if number == 2 {
        bill(store, client.id);
    }
}

fn challenge(context: &Context, address: EoaAddress, number: u8) -> Challenge {
    // The check that was opened first has the longest retention: see `context`.
    let opened_at = NOW.saturating_sub(Duration::from_hours(number.into()));
    Challenge {
        check: CheckId::new(opened_at, [number; 10]),
        context: context.id.clone(),
        address,
        origin: "https://quest.example".parse().unwrap(),
        origin_allowlisted: false,
        environment: context.environment,
        layer: LayerKind::Unverified,
        presses: PressCount::Two,
        seed: [3; 8],
        work_bits: 13,
        opened_at,
    }
}

fn batch(challenge: &Challenge, number: u8) -> EvidenceBatch {
    EvidenceBatch {
        challenge: challenge.clone(),
        number,
        received_at: challenge.opened_at,
        call: RequestMetadata {
            headers: Vec::new(),
            network: NetworkHash([5; 16]),
            family: AddressFamily::V4,
        },
        body: vec![8; 50],
    }
}

/// Returns the conclusion of a check that supports neither a bot nor a human.
fn conclusion(challenge: &Challenge, number: u8) -> CheckConclusion {
    CheckConclusion {
        check: challenge.check,
        context: challenge.context.clone(),
        address: challenge.address,
        layer: LayerKind::Unverified,
        judgement: Judgement::Assessed(Assessment::default()),
        inputs: vec![InputDigest([number; 16])],
        link_signals: LinkSignals {
            subject: AddressDigest([number.wrapping_add(200); 16]),
            network: None,
            device: None,
            traces: Vec::new(),
        },
        receipt: None,
    }
}

fn check(store: &EmbeddedStore<MapEngine>, context: &Context, number: u8) {
    let address = EoaAddress::from_bytes([number; 20]);
    let challenge = challenge(context, address, number);
    let keep_until = challenge
        .opened_at
        .saturating_add(context.settings.retention());
    for batch_number in 1..=2 {
        block_on(store.append(batch(&challenge, batch_number), keep_until)).unwrap();
    }
    block_on(store.conclude(conclusion(&challenge, number))).unwrap();
    if number.is_multiple_of(2) {
        block_on(store.mark_judged(challenge.check)).unwrap();
    }
    let tau = MinConfidence::default().flag_threshold();
    let to = OverrideTo::Bot;
    let reason = "seen".to_owned();
    let digest = AddressDigest([number; 16]);
    let change = |address| Override {
        context: context.id.clone(),
        address,
        digest,
        verdict: to,
        tau,
        reason: reason.clone(),
    };
    block_on(store.override_verdict(change(address), audit())).unwrap();
    let label = Label {
        truth: Truth::Bot,
        consent: false,
        reason: "met".into(),
        at: NOW,
    };
    block_on(store.put_labels(&context.id, vec![LabelRecord { address, label }], audit())).unwrap();
    // Address that was flagged and erased.
    let address = EoaAddress::from_bytes([number + 100; 20]);
    block_on(store.override_verdict(change(address), audit())).unwrap();
    let place = ErasureScope {
        context: context.id.clone(),
        digest,
        request_fingerprint: IdempotencyDigest([0xff; 16]),
    };
    let counts = block_on(store.erase(&Erasure {
        address,
        scopes: vec![place],
        mode: EraseMode::Execute,
    }))
    .unwrap();
    assert_eq!(counts.tombstones, std::slice::from_ref(&context.id));
}

fn key(client: ClientId, environment: Environment, number: u8) -> Key {
    Key {
        id: KeyId::from_bytes([number; 16]),
        number: 0,
        client,
        environment,
        scopes: ScopeSet::all(),
        networks: vec![],
        secrets: vec![KeySecret {
            digest: KeyDigest([number; 32]),
            hint: "hint".into(),
            valid_until: None,
        }],
        created_at: NOW,
        expires_at: None,
        revoked_at: None,
        label: None,
        last_used_at: None,
        expiry_reported_at: None,
    }
}

fn context(key: &Key, number: u8) -> Context {
    Context {
        id: ContextId::new(&"quest".parse().unwrap(), NOW, [number; 10]),
        number: 0,
        client: key.client,
        key: key.id,
        environment: key.environment,
        settings: ContextSettings {
            retention_days: number.into(),
            ..ContextSettings::default()
        },
        created_at: NOW,
        archived_at: None,
    }
}

/// Small allowance, so that an alert is raised.
fn rules() -> MeterRules {
    MeterRules {
        allowance: 5,
        ..MeterRules::default()
    }
}

/// Creates a credit and a final invoice.
fn bill(store: &EmbeddedStore<MapEngine>, client: ClientId) {
    let amount = Money {
        minor: -5,
        currency: Currency::USD,
    };
    let credit = NewAdjustment {
        kind: AdjustmentKind::Credit,
        amount,
        reason: "for the wait".into(),
    };
    block_on(store.adjust(client, credit, audit()))
        .unwrap()
        .unwrap();
    assert_eq!(
        block_on(store.close(
            client,
            CloseScope::IncludingCurrent,
            rules(),
            Actor::Operator
        ))
        .unwrap()
        .unwrap()
        .len(),
        1
    );
}

fn request(key: &Key, context: &Context, (place, number): (u8, u8)) -> LookupRequest {
    let digest = key.secrets[0].digest;
    LookupRequest {
        key: digest,
        context: context.id.clone(),
        address: EoaAddress::from_bytes([number; 20]),
        address_key: DigestKey::from_bytes([number; 32]),
        nonce: [number; 16],
        idempotency: number
            .is_multiple_of(3)
            .then(|| idempotency(number, place + 100)),
        rules: rules(),
        is_detailed: number.is_multiple_of(2),
    }
}

fn idempotency(number: u8, kind: u8) -> IdempotencyInput {
    let mut key = [number; 16];
    key[0] = kind;
    IdempotencyInput {
        key_digest: IdempotencyDigest(key),
        fingerprint: IdempotencyDigest([number; 16]),
    }
}

fn audit() -> AuditEntry {
    AuditEntry {
        at: NOW,
        actor: Actor::Operator,
        action: AuditAction::ClientChanged,
        subject: "subject".into(),
        detail: String::new(),
    }
}
