//! Billing simulation: random actions of a client, its service and its operator, and the resulting state of a store.
//!
//! The rules are those of the product. The simulation only reads, calls them, and applies their results, as a store
//! does; in addition it records the responses that a client of the service receives.

mod billing;
mod lookups;
pub(crate) mod random_step;

use fastrand::Rng;
use std::collections::{BTreeMap, HashMap, HashSet};
use voight_domain::billing::{Money, PriceBook, PriceBookDigest};
use voight_domain::invoicing::{Account, Adjustment, BillingFacts, Invoice};
use voight_domain::metering::{
    Alert, Commitment, EndedPeriod, IdempotencyInput, IdempotencyRecord, LedgerRow, LookupOutcome,
    MeterRules, MeterState,
};
use voight_domain::registry::{
    Client, ClientStatus, Context, ContextAccess, ContextSettings, Key, KeySecret,
};
use voight_domain::secrets::{IdempotencyDigest, KeyDigest};
use voight_domain::vocabulary::{ClientId, ContextId, Environment, KeyId, ScopeSet, Timestamp};

/// Start of each history: at noon, ten days before the end of a year.
pub(crate) const START: Timestamp = Timestamp::from_millis(1_797_854_400_000);

pub(crate) struct BillingSimulation {
    random: Rng,
    pub(crate) steps: u32,
    pub(crate) now: Timestamp,
    pub(crate) rules: MeterRules,
    pub(crate) client: Client,
    keys: Vec<Key>,
    contexts: Vec<Context>,
    idempotency_records: HashMap<IdempotencyDigest, IdempotencyRecord>,
    pub(crate) meter: Option<MeterState>,
    pub(crate) rows: Vec<LedgerRow>,
    pub(crate) alerts: Vec<Alert>,
    pub(crate) books: HashMap<PriceBookDigest, PriceBook>,
    /// Ended periods by the sequence number of their last row.
    pub(crate) ended: BTreeMap<u64, EndedPeriod>,
    pub(crate) account: Account,
    pub(crate) adjustments: BTreeMap<u32, Adjustment>,
    pub(crate) invoices: BTreeMap<u32, Invoice>,
    /// The invoices as issued, in order.
    pub(crate) issued: Vec<Invoice>,
    /// Results of repeating each closing at the same moment: the number of invoices that the repeat issued, and `true`
    /// if it wrote.
    pub(crate) closed_again: Vec<(usize, bool)>,
    pub(crate) attempts: Vec<Attempt>,
    pub(crate) limits: LastLimits,
}

/// Attempt of a lookup by a client.
#[derive(Clone)]
pub(crate) struct Attempt {
    /// The time of the service's clock.
    pub(crate) now: Timestamp,
    pub(crate) idempotency: Option<IdempotencyInput>,
    /// Distinguishes the row of this attempt from all others.
    pub(crate) commitment: Commitment,
    /// The response to the client; `None` if the service failed before or after it had written the row.
    pub(crate) told: Option<LookupOutcome>,
    /// The number of rows before the attempt.
    pub(crate) rows_before: usize,
    /// The rules and limits in force.
    pub(crate) rules: MeterRules,
    pub(crate) limits: LastLimits,
}

/// The last limits that were set, as written.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LastLimits {
    pub(crate) cap: Option<u64>,
    pub(crate) money: Option<Money>,
    pub(crate) budget: Option<Money>,
    /// Number of changes of the budget.
    pub(crate) budgets: u32,
}

impl BillingSimulation {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Rng::with_seed(seed);
        let client = client();
        let keys: Vec<_> = (1..=2).map(|number| key(client.id, number)).collect();
        let contexts = (1..=3)
            .map(|number| context(&keys[usize::from(number > 2)], number))
            .collect();
        let rules = random_step::rules(&mut random);
        Self {
            random,
            steps: 0,
            now: START,
            rules,
            client,
            keys,
            contexts,
            idempotency_records: HashMap::new(),
            meter: None,
            rows: Vec::new(),
            alerts: Vec::new(),
            books: HashMap::new(),
            ended: BTreeMap::new(),
            account: Account::default(),
            adjustments: BTreeMap::new(),
            invoices: BTreeMap::new(),
            issued: Vec::new(),
            closed_again: Vec::new(),
            attempts: Vec::new(),
            limits: LastLimits::default(),
        }
    }

    /// Returns the facts that a closing reads.
    pub(crate) fn facts(&self) -> BillingFacts {
        let ended_periods: Vec<_> = self
            .ended
            .values()
            .filter(|period| period.invoice.is_none())
            .copied()
            .collect();
        let digests = ended_periods
            .iter()
            .map(|period| Some(period.book))
            .chain([self.meter.and_then(|meter| meter.price_book)]);
        let digests: HashSet<_> = digests.flatten().collect();
        BillingFacts {
            client: self.client.clone(),
            meter: self.meter,
            price_books: digests
                .iter()
                .map(|digest| self.books[digest].clone())
                .collect(),
            account: self.account.clone(),
            pending_adjustments: self
                .adjustments
                .values()
                .filter(|adjustment| adjustment.invoice.is_none())
                .cloned()
                .collect(),
            ended: ended_periods,
        }
    }

    fn keep_book(&mut self, digest: PriceBookDigest, book: &PriceBook) {
        self.books.insert(digest, book.clone());
    }
}

pub(crate) fn client() -> Client {
    Client {
        id: ClientId::from_bytes([1; 16]),
        name: "acme".parse().unwrap(),
        status: ClientStatus::Active,
        origins: Vec::new(),
        lookup_rate: None,
        contexts: ContextAccess::default(),
        created_at: START,
    }
}

pub(crate) fn key(client: ClientId, number: u8) -> Key {
    Key {
        id: KeyId::from_bytes([number; 16]),
        number: number.into(),
        client,
        environment: Environment::Live,
        scopes: ScopeSet::all(),
        networks: Vec::new(),
        secrets: vec![secret([number; 32])],
        created_at: START,
        expires_at: None,
        revoked_at: None,
        label: None,
        last_used_at: None,
        expiry_reported_at: None,
    }
}

fn secret(digest: [u8; 32]) -> KeySecret {
    KeySecret {
        digest: KeyDigest(digest),
        hint: "vgt_live_abcd".to_owned(),
        valid_until: None,
    }
}

pub(crate) fn context(key: &Key, number: u8) -> Context {
    Context {
        id: ContextId::new(&"quest".parse().unwrap(), START, [number; 10]),
        number: number.into(),
        client: key.client,
        key: key.id,
        environment: key.environment,
        settings: ContextSettings::default(),
        created_at: START,
        archived_at: None,
    }
}
