//! State of a history, and generation of its next operation.

mod billing;
mod check;
mod endpoints;
mod registry;
mod snapshots;

use super::operation::Operation;
use super::rng::Rng;
use crate::generate::{ValueGenerator, address, erasure, lookup_parameters};
use crate::state_dump::EntityRefs;
use std::time::Duration;
use voight_domain::check::{Challenge, CheckConclusion, InputDigest};
use voight_domain::metering::{
    AllowanceReset, BatchLookupRequest, IdempotencyInput, LedgerId, LookupRequest, MeterRules,
    PeriodStartDay,
};
use voight_domain::ports::{ContextFilter, EraseMode, Erasure};
use voight_domain::registry::{Client, Context, Key};
use voight_domain::vocabulary::{ClientId, EoaAddress, SnapshotId, Timestamp};
use voight_domain::webhooks::EndpointName;

const MINUTE: u64 = 60;
const DAY: u64 = 24 * 60 * MINUTE;

/// Entities created so far. The pools are small, so that names, idempotency keys and inputs recur.
pub(super) struct HistoryState {
    rng: Rng,
    make: ValueGenerator,
    rules: MeterRules,
    clients: Vec<Client>,
    keys: Vec<Key>,
    contexts: Vec<Context>,
    /// Contexts that were requested with an idempotency key and may therefore not exist.
    doubtful: Vec<Context>,
    idempotency_inputs: Vec<IdempotencyInput>,
    inputs: Vec<InputDigest>,
    checks: Vec<CheckConclusion>,
    /// Checks with evidence, and the expiry of it.
    challenges: Vec<(Challenge, Timestamp)>,
    snapshots: Vec<(ClientId, SnapshotId)>,
    endpoints: Vec<EndpointName>,
    pub(super) names: EntityRefs,
}

impl HistoryState {
    pub(super) fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let make = ValueGenerator::default();
        let rules = MeterRules {
            allowance: rng.below(30),
            reset: if rng.chance(50) {
                AllowanceReset::Never
            } else {
                AllowanceReset::Monthly
            },
            period_start_day: PeriodStartDay::try_from(
                u8::try_from(1 + rng.below(31)).unwrap_or(1),
            )
            .unwrap_or_default(),
            price_book: billing::book(&mut rng),
        };
        Self {
            idempotency_inputs: (0..4).map(|_| make.idempotency()).collect(),
            inputs: (0..12).map(|_| make.input()).collect(),
            names: EntityRefs {
                addresses: (0..5).map(address).collect(),
                ..EntityRefs::default()
            },
            clients: Vec::new(),
            keys: Vec::new(),
            contexts: Vec::new(),
            doubtful: Vec::new(),
            checks: Vec::new(),
            challenges: Vec::new(),
            snapshots: Vec::new(),
            endpoints: Vec::new(),
            rng,
            make,
            rules,
        }
    }

    /// Generates the next operation.
    pub(super) fn next(&mut self, now: Timestamp) -> Operation {
        if self.clients.is_empty() {
            return self.create_client(now);
        }
        if self.keys.is_empty() {
            return self.create_key(now);
        }
        if self.contexts.is_empty() {
            return self.register(now);
        }
        match self.rng.below(100) {
            0..19 => self.answer(),
            19..26 => self.endpoint(now),
            26..30 => self.answer_batch(),
            30..38 => self.snapshot(now),
            38..42 => self.billing(now),
            42..58 => self.conclude(now),
            58..68 => self.move_clock(now),
            68..74 => self.evidence(now),
            74..80 => self.read(now),
            80..81 => self.override_verdict(),
            81..82 => self.correct(now),
            82..83 => self.erase(),
            83..85 => self.change_context(now),
            85..86 => self.transfer(now),
            86..89 => self.change_key(now),
            89..93 => self.change_client(),
            93..94 => self.create_client(now),
            94..97 => self.create_key(now),
            97..98 => self.register(now),
            _ => self.register_with_idempotency_key(now),
        }
    }

    fn answer_batch(&mut self) -> Operation {
        let (key, context) = self.some_caller();
        let addresses: Vec<_> = (0..self.rng.below(9))
            .map(|_| self.some_address())
            .collect();
        let idempotency = self.rng.chance(25).then(|| self.random_idempotency());
        let request = self.make.batch_lookup(&key, &context, &addresses);
        Operation::AnswerBatch(BatchLookupRequest {
            idempotency,
            rules: self.rules.clone(),
            ..request
        })
    }

    /// Returns a context, usually with its own API key, and sometimes with another one.
    fn some_caller(&mut self) -> (Key, Context) {
        let context = self.some_context();
        let owner = self.keys.iter().find(|key| key.id == context.key).cloned();
        let key = owner
            .filter(|_| self.rng.chance(90))
            .unwrap_or_else(|| self.rng.pick(&self.keys).clone());
        (key, context)
    }

    fn answer(&mut self) -> Operation {
        let (key, context) = self.some_caller();
        let address = self.some_address();
        let mut request = self.make.lookup(&key, &context, address);
        // Sometimes an older secret.
        if self.rng.chance(10) {
            request.key = *self.rng.pick(&self.names.digests);
        }
        // Sometimes with the parameters that the service sends, which an erasure finds.
        let parameters = self
            .rng
            .chance(50)
            .then(|| lookup_parameters(&context.id, address));
        let idempotency = self.rng.chance(25).then(|| self.random_idempotency());
        let idempotency = idempotency.map(|idempotency| IdempotencyInput {
            fingerprint: parameters.unwrap_or(idempotency.fingerprint),
            ..idempotency
        });
        Operation::Answer(LookupRequest {
            idempotency,
            rules: self.rules.clone(),
            ..request
        })
    }

    /// Erases an address in all contexts, including those that may not exist.
    fn erase(&mut self) -> Operation {
        let mode = if self.rng.chance(20) {
            EraseMode::DryRun
        } else {
            EraseMode::Execute
        };
        let contexts = self.contexts.iter().chain(&self.doubtful);
        let erasure = erasure(*self.rng.pick(&self.names.addresses), contexts);
        Operation::Erase(Erasure { mode, ..erasure })
    }

    fn read(&mut self, now: Timestamp) -> Operation {
        let limit = usize::try_from(1 + self.rng.below(6)).unwrap_or(1);
        let last_number = self.rng.below(20);
        let context = self.some_context();
        let address = self.some_address();
        match self.rng.below(7) {
            0 => {
                let ledger = LedgerId {
                    client: context.client,
                    environment: context.environment,
                };
                Operation::Rows(ledger, last_number, limit)
            }
            1 => Operation::Audit(last_number, limit),
            2 => Operation::Verdicts(context.id, self.rng.chance(50).then_some(address), limit),
            3 => Operation::Timeline(context.id, address, limit),
            4 => Operation::Labels(context.id, self.rng.chance(50).then_some(address), limit),
            5 => Operation::Unsettled(now.saturating_add(Duration::from_secs(1)), limit),
            _ => {
                let filters = [
                    ContextFilter::All,
                    ContextFilter::Client(context.client),
                    ContextFilter::Key(context.key),
                ];
                Operation::Contexts(
                    *self.rng.pick(&filters),
                    self.rng.chance(50).then_some(context.id),
                    limit,
                )
            }
        }
    }

    /// Advances the clock by minutes, hours, days or a month, and sometimes sets it back a little.
    fn move_clock(&mut self, now: Timestamp) -> Operation {
        let spans = [MINUTE, 5 * MINUTE, DAY / 24, DAY, 3 * DAY, 31 * DAY];
        let span = Duration::from_secs(*self.rng.pick(&spans));
        let back = Duration::from_secs(self.rng.below(MINUTE));
        Operation::SetClock(if self.rng.chance(15) {
            now.saturating_sub(back)
        } else {
            now.saturating_add(span)
        })
    }

    /// Returns a client, or sometimes one that does not exist.
    fn some_client(&mut self) -> ClientId {
        if self.rng.chance(4) {
            unknown_client()
        } else {
            self.rng.pick(&self.clients).id
        }
    }

    /// Returns a context, or sometimes one that may not exist.
    fn some_context(&mut self) -> Context {
        let doubtful = !self.doubtful.is_empty() && self.rng.chance(10);
        self.rng
            .pick(if doubtful {
                &self.doubtful
            } else {
                &self.contexts
            })
            .clone()
    }

    fn some_address(&mut self) -> EoaAddress {
        *self.rng.pick(&self.names.addresses)
    }

    fn random_idempotency(&mut self) -> IdempotencyInput {
        let key = self.rng.pick(&self.idempotency_inputs).key_digest;
        let parameters = self.rng.pick(&self.idempotency_inputs[..2]).fingerprint;
        IdempotencyInput {
            key_digest: key,
            fingerprint: parameters,
        }
    }
}

/// Returns a client that never exists.
fn unknown_client() -> ClientId {
    ClientId::from_bytes([9; 16])
}
