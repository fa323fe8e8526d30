//! A batch lookup is one lookup of each of its addresses: the same answers, rows, alerts and periods.

use super::world::{START, client, context, key, random_step};
use fastrand::Rng;
use proptest::prelude::*;
use std::collections::HashMap;
use std::time::Duration;
use voight_domain::billing::{Money, PriceBookDigest};
use voight_domain::metering::{
    AddressFacts, AddressSet, Alert, AlertSet, BatchLookupRequest, CallerFacts, EndedPeriod,
    IdempotencyInput, IdempotencyRecord, LedgerRow, Limit, LookupOutcome, LookupRequest,
    LookupWrite, MeterRules, MeterState, Opening, RecordedBatch, RowKind, answer_batch,
    answer_lookup,
};
use voight_domain::registry::{Context, KeyWithClient};
use voight_domain::secrets::{DigestKey, IdempotencyDigest};
use voight_domain::verdict::{Answer, Layer, Nats, Verdict};
use voight_domain::vocabulary::{Environment, EoaAddress, Timestamp};
use voight_support::tier;

/// Returns the number of generated cases, each with six requests.
fn cases() -> u32 {
    tier::volume(300, 10_000)
}

/// Data that a store keeps about one ledger.
#[derive(Clone)]
struct Ledger {
    meter: MeterState,
    rows: Vec<LedgerRow>,
    openings: Vec<Opening>,
    ended: Vec<EndedPeriod>,
    books: Vec<PriceBookDigest>,
    alerts: Vec<Alert>,
    idempotency_records: HashMap<IdempotencyDigest, IdempotencyRecord>,
}

impl Ledger {
    fn apply(&mut self, write: LookupWrite) {
        self.rows.extend(write.rows);
        self.openings.push(write.opening);
        self.ended.extend(write.ended);
        self.books.extend(write.book.map(|book| book.digest()));
        self.alerts.extend(write.alerts);
        self.meter = write.meter;
        self.idempotency_records.extend(write.idempotency_record);
    }

    /// Returns the rows without the commitments, which contain random bytes.
    fn rows_without_commitments(&self) -> Vec<String> {
        let row = |row: &LedgerRow| match row.kind {
            RowKind::Lookup(lookup) => {
                format!(
                    "{} {:?} {} {:?} {:?}",
                    row.seq, row.at, lookup.free, lookup.answer, lookup.cap
                )
            }
            RowKind::PeriodEnd(end) => format!("{} {:?} {end:?}", row.seq, row.at),
        };
        self.rows.iter().map(row).collect()
    }
}

/// Caller with its context and the verdicts of some addresses.
struct World {
    holder: KeyWithClient,
    context: Context,
    verdicts: HashMap<EoaAddress, Verdict>,
    rules: MeterRules,
    now: Timestamp,
}

impl World {
    fn new(random: &mut Rng) -> Self {
        let client = client();
        let mut key = key(client.id, 1);
        if random.u8(..4) == 0 {
            key.environment = Environment::Sandbox;
        }
        let context = context(&key, 1);
        let verdict = |number| {
            let layer = Layer {
                flagged: number % 2 == 0,
                bot: Nats::from_milli(5_000),
                conclusive_checks: 1,
                ..Layer::default()
            };
            (
                address(number),
                Verdict {
                    unverified: layer,
                    ..Verdict::default()
                },
            )
        };
        let verdicts = (0..30).step_by(3).map(verdict).collect();
        let rules = random_step::rules(random);
        Self {
            holder: KeyWithClient { key, client },
            context,
            verdicts,
            rules,
            now: START,
        }
    }

    fn empty_ledger(&self, limits: &[Limit]) -> Ledger {
        let meter = MeterState::new(self.holder.ledger());
        let meter = limits.iter().fold(meter, |meter, limit| {
            meter
                .with_limit(*limit, &self.rules.price_book)
                .unwrap_or(meter)
        });
        Ledger {
            meter,
            rows: Vec::new(),
            openings: Vec::new(),
            ended: Vec::new(),
            books: Vec::new(),
            alerts: Vec::new(),
            idempotency_records: HashMap::new(),
        }
    }

    fn caller<'a>(
        &'a self,
        ledger: &'a Ledger,
        idempotency: Option<IdempotencyInput>,
    ) -> CallerFacts<'a> {
        CallerFacts {
            key: Some(&self.holder),
            context: Some(&self.context),
            meter: Some(&ledger.meter),
            idempotency_record: idempotency
                .and_then(|input| ledger.idempotency_records.get(&input.key_digest)),
        }
    }

    fn address_facts(&self, address: &EoaAddress) -> AddressFacts<'_> {
        AddressFacts {
            verdict: self.verdicts.get(address),
            tombstone: None,
        }
    }

    fn ask_batch(
        &self,
        ledger: &mut Ledger,
        addresses: &AddressSet,
        nonce_seed: [u8; 32],
        idempotency: Option<IdempotencyInput>,
    ) -> LookupOutcome<RecordedBatch> {
        let request = BatchLookupRequest {
            key: self.holder.key.secrets[0].digest,
            context: self.context.id.clone(),
            addresses: addresses.clone(),
            address_key: DigestKey::from_bytes([1; 32]),
            nonce_seed,
            idempotency,
            rules: self.rules.clone(),
        };
        let facts: Vec<_> = addresses
            .as_slice()
            .iter()
            .map(|address| self.address_facts(address))
            .collect();
        let step = answer_batch(&request, self.caller(ledger, idempotency), &facts, self.now);
        step.writes
            .into_iter()
            .for_each(|write| ledger.apply(write));
        step.outcome
    }

    /// Asks for the addresses one by one, until one is rejected.
    fn ask_each(
        &self,
        ledger: &mut Ledger,
        addresses: &AddressSet,
    ) -> Result<(Vec<Answer>, AlertSet), LookupOutcome> {
        let mut answers = Vec::new();
        let mut alerts = Vec::new();
        for address in addresses.as_slice() {
            let request = LookupRequest {
                key: self.holder.key.secrets[0].digest,
                context: self.context.id.clone(),
                address: *address,
                address_key: DigestKey::from_bytes([1; 32]),
                nonce: [0; 16],
                idempotency: None,
                rules: self.rules.clone(),
                is_detailed: false,
            };
            let step = answer_lookup(
                &request,
                self.caller(ledger, None),
                self.address_facts(address),
                self.now,
            );
            let LookupOutcome::Recorded(answered, raised) = step.outcome else {
                return Err(step.outcome);
            };
            step.write.into_iter().for_each(|write| ledger.apply(write));
            answers.push(answered.answer);
            alerts.extend(raised.iter());
        }
        Ok((answers, alerts.into_iter().collect()))
    }
}

fn address(number: u8) -> EoaAddress {
    EoaAddress::from_bytes([number; 20])
}

fn random_limits(random: &mut Rng, rules: &MeterRules) -> Vec<Limit> {
    let money = |random: &mut Rng| Money {
        minor: random.i64(1..2_000),
        currency: rules.price_book.currency(),
    };
    let mut limits = Vec::new();
    if random.u8(..3) == 0 {
        limits.push(Limit::Lookups(Some(random.u64(..60))));
    }
    if random.u8(..3) == 0 {
        limits.push(Limit::Money(Some(money(random))));
    }
    if random.bool() {
        limits.push(Limit::Budget(Some(money(random))));
    }
    limits
}

fn assert_same(batched: &Ledger, single: &Ledger) {
    assert_eq!(
        batched.rows_without_commitments(),
        single.rows_without_commitments()
    );
    let addresses = |ledger: &Ledger| {
        ledger
            .openings
            .iter()
            .map(|opening| opening.address)
            .collect::<Vec<_>>()
    };
    assert_eq!(addresses(batched), addresses(single));
    assert_eq!(
        (&batched.alerts, &batched.books),
        (&single.alerts, &single.books)
    );
    let periods = |ledger: &Ledger| {
        let period = |ended: &EndedPeriod| {
            (
                ended.period,
                ended.first_seq,
                ended.last_seq,
                ended.billable,
                ended.charged,
            )
        };
        ledger.ended.iter().map(period).collect::<Vec<_>>()
    };
    assert_eq!(periods(batched), periods(single));
    assert_eq!(
        MeterState {
            head: single.meter.head,
            ..batched.meter
        },
        single.meter
    );
}

/// Checks the commitments of the rows and the chain over them.
fn assert_chained(world: &World, ledger: &Ledger) {
    let start = MeterState::new(world.holder.ledger()).head;
    let head = ledger
        .rows
        .iter()
        .fold(start, |head, row| head.extend(&row.to_bytes()));
    assert_eq!(head, ledger.meter.head);
    let lookups = ledger.rows.iter().filter_map(|row| match row.kind {
        RowKind::Lookup(lookup) => Some(lookup),
        RowKind::PeriodEnd(_) => None,
    });
    let mut nonces: Vec<_> = ledger
        .openings
        .iter()
        .map(|opening| opening.nonce)
        .collect();
    for (lookup, opening) in lookups.zip(&ledger.openings) {
        assert_eq!(lookup.commitment, opening.commit(&world.context.id));
    }
    nonces.sort_unstable();
    nonces.dedup();
    assert_eq!(
        nonces.len(),
        ledger.openings.len(),
        "a nonce was used twice"
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn batch_is_all_or_nothing(seed: u64) {
        let mut random = Rng::with_seed(seed);
        let mut world = World::new(&mut random);
        let limits = random_limits(&mut random, &world.rules);
        let [mut batched, mut single] = [(); 2].map(|()| world.empty_ledger(&limits));
        for _ in 0..6 {
            world.now = world.now.saturating_add(Duration::from_hours(random.u64(..1_000)));
            let addresses: AddressSet = (0..random.u8(..25)).map(|_| address(random.u8(..30))).collect();
            let mut attempt = single.clone();
            let expected_answers = world.ask_each(&mut attempt, &addresses);
            match world.ask_batch(&mut batched, &addresses, random.u128(..).to_be_bytes().repeat(2).try_into().unwrap(), None) {
                LookupOutcome::Recorded(batch, alerts) => {
                    prop_assert_eq!(expected_answers, Ok((batch.answers, alerts)));
                    prop_assert_eq!((batch.seq, batch.head), (batched.meter.seq, batched.meter.head));
                    single = attempt;
                }
                LookupOutcome::CapReached { remaining, resets_at } => {
                    let cap_reached = LookupOutcome::CapReached { remaining: 0, resets_at };
                    prop_assert_eq!(expected_answers, Err(cap_reached));
                    prop_assert_eq!(remaining, (attempt.openings.len() - single.openings.len()) as u64);
                }
                outcome => prop_assert!(false, "{:?}", outcome),
            }
            assert_same(&batched, &single);
        }
        assert_chained(&world, &batched);
    }

    #[test]
    fn batch_replays_until_its_record_expires(seed: u64) {
        let mut random = Rng::with_seed(seed);
        let mut world = World::new(&mut random);
        let mut ledger = world.empty_ledger(&[]);
        let addresses: AddressSet = (0..random.u8(1..25)).map(|_| address(random.u8(..30))).collect();
        let input = IdempotencyInput { key_digest: IdempotencyDigest([1; 16]), fingerprint: IdempotencyDigest([2; 16]) };
        let LookupOutcome::Recorded(first, _) = world.ask_batch(&mut ledger, &addresses, [1; 32], Some(input)) else {
            return Err(TestCaseError::fail("the first batch was not recorded"));
        };
        world.verdicts.clear();
        world.now = world.now.saturating_add(Duration::from_hours(random.u64(..24)));
        let rows = ledger.rows.len();
        prop_assert_eq!(
            world.ask_batch(&mut ledger, &addresses, [2; 32], Some(input)),
            LookupOutcome::Replayed(first)
        );
        let other_input = IdempotencyInput { fingerprint: IdempotencyDigest([3; 16]), ..input };
        prop_assert_eq!(
            world.ask_batch(&mut ledger, &addresses, [3; 32], Some(other_input)),
            LookupOutcome::IdempotencyKeyReused
        );
        prop_assert_eq!(ledger.rows.len(), rows);
        world.now = world.now.saturating_add(Duration::from_hours(24));
        let outcome = world.ask_batch(&mut ledger, &addresses, [4; 32], Some(other_input));
        prop_assert!(matches!(outcome, LookupOutcome::Recorded(..)), "{:?}", outcome);
    }
}
