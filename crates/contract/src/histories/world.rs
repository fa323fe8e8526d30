//! Who and what there is in a history, and what happens next.

use super::operation::Operation;
use super::rng::Rng;
use crate::make::{Maker, address, bot, current, human, overrule};
use crate::seen::Names;
use std::time::Duration;
use voight_domain::check::{Challenge, CheckConclusion, InputDigest, Refusal};
use voight_domain::metering::{AnchorDay, Claim, LookupRequest, MeterRules, Reset};
use voight_domain::ports::{ContextFilter, Judgement};
use voight_domain::registry::{
    ClaimedFlags, Client, ClientChange, ClientStatus, Context, ContextChange, ContextMode, Key, KeyChange, Sensitivity,
};
use voight_domain::verdict::{Assessment, LayerKind, Nats, OverrideTo};
use voight_domain::vocabulary::{ClientId, Environment, EoaAddress, Scope, Timestamp};

const MINUTE: u64 = 60;
const DAY: u64 = 24 * 60 * MINUTE;

/// What has been made so far. Pools are small, so that names, claims and inputs meet again.
pub(super) struct World {
    rng: Rng,
    make: Maker,
    rules: MeterRules,
    clients: Vec<Client>,
    keys: Vec<Key>,
    contexts: Vec<Context>,
    /// Contexts that were asked for with a claim and may therefore not be there.
    doubtful: Vec<Context>,
    claims: Vec<Claim>,
    inputs: Vec<InputDigest>,
    checks: Vec<CheckConclusion>,
    challenges: Vec<Challenge>,
    pub(super) names: Names,
}

impl World {
    pub(super) fn new(seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let make = Maker::default();
        let rules = MeterRules {
            allowance: rng.below(30),
            reset: if rng.chance(50) { Reset::Never } else { Reset::Monthly },
            anchor: AnchorDay::try_from(u8::try_from(1 + rng.below(31)).unwrap_or(1)).unwrap_or_default(),
        };
        Self {
            claims: (0..4).map(|_| make.claim()).collect(),
            inputs: (0..12).map(|_| make.input()).collect(),
            names: Names { addresses: (0..5).map(address).collect(), ..Names::default() },
            clients: Vec::new(),
            keys: Vec::new(),
            contexts: Vec::new(),
            doubtful: Vec::new(),
            checks: Vec::new(),
            challenges: Vec::new(),
            rng,
            make,
            rules,
        }
    }

    /// The next operation of the history.
    pub(super) fn next(&mut self, now: Timestamp) -> Operation {
        if self.clients.is_empty() {
            return self.create_client(now);
        }
        if self.keys.is_empty() {
            return self.create_key(now);
        }
        if self.contexts.is_empty() {
            return self.register(now, false);
        }
        match self.rng.below(100) {
            0..40 => self.answer(),
            40..58 => self.conclude(now),
            58..68 => self.move_clock(now),
            68..74 => self.evidence(now),
            74..80 => self.read(now),
            80..83 => self.override_verdict(),
            83..86 => self.change_context(now),
            86..89 => self.change_key(now),
            89..91 => self.change_client(),
            91..93 => self.set_cap(),
            93..94 => self.create_client(now),
            94..97 => self.create_key(now),
            97..98 => self.register(now, false),
            _ => self.register(now, true),
        }
    }

    fn create_client(&mut self, now: Timestamp) -> Operation {
        let mut client = self.make.client(now);
        if !self.clients.is_empty() && self.rng.chance(30) {
            client.name = self.rng.pick(&self.clients).name.clone();
        } else {
            self.clients.push(client.clone());
        }
        Operation::CreateClient(client)
    }

    fn change_client(&mut self) -> Operation {
        let id = self.some_client();
        let change = match self.rng.below(4) {
            0 => ClientChange::Status(ClientStatus::Suspended),
            1 | 2 => ClientChange::Status(ClientStatus::Active),
            _ => ClientChange::LookupRate(Some(u32::try_from(self.rng.below(9)).unwrap_or(0))),
        };
        Operation::ChangeClient(id, change)
    }

    fn create_key(&mut self, now: Timestamp) -> Operation {
        let environment = if self.rng.chance(80) { Environment::Live } else { Environment::Sandbox };
        let client = self.some_client();
        let mut key = self.make.key(client, environment, now);
        if self.rng.chance(10) {
            key.scopes = [Scope::UsageRead].into_iter().collect();
        }
        if self.rng.chance(10) {
            key.expires_at = Some(now.plus(Duration::from_secs(10 * DAY)));
        }
        if !self.keys.is_empty() && self.rng.chance(10) {
            key.secrets.clone_from(&self.rng.pick(&self.keys).secrets);
        } else if key.client != nobody() {
            self.names.digests.push(current(&key));
            self.keys.push(key.clone());
        }
        Operation::CreateKey(key)
    }

    fn change_key(&mut self, now: Timestamp) -> Operation {
        let place = usize::try_from(self.rng.below(self.keys.len() as u64)).unwrap_or(0);
        let id = self.keys[place].id;
        if self.rng.chance(15) && self.keys.len() > 1 {
            return Operation::ChangeKey(id, KeyChange::Revoke { at: now });
        }
        let secret = self.make.secret();
        self.names.digests.push(secret.digest);
        let overlap_until = now.plus(Duration::from_secs(self.rng.below(3 * DAY)));
        self.keys[place] =
            self.keys[place].clone().after(KeyChange::Rotate { secret: secret.clone(), overlap_until }, now);
        Operation::ChangeKey(id, KeyChange::Rotate { secret, overlap_until })
    }

    fn register(&mut self, now: Timestamp, claimed: bool) -> Operation {
        let context = self.make.context(self.rng.pick(&self.keys), now);
        let claim = claimed.then(|| self.some_claim());
        if claimed { &mut self.doubtful } else { &mut self.contexts }.push(context.clone());
        Operation::Register(context, claim)
    }

    fn change_context(&mut self, now: Timestamp) -> Operation {
        let id = self.some_context().id;
        let mut change = ContextChange::default();
        match self.rng.below(4) {
            0 => change.sensitivity = Sensitivity::try_from(u8::try_from(50 + self.rng.below(50)).unwrap_or(90)).ok(),
            1 => change.claimed_flags = Some(*self.rng.pick(&[ClaimedFlags::Keep, ClaimedFlags::UntilBound])),
            2 => change.mode = Some(*self.rng.pick(&[ContextMode::Enforce, ContextMode::Observe])),
            _ => change.archived_at = Some(self.rng.chance(50).then_some(now)),
        }
        Operation::ChangeContext(id, change)
    }

    fn answer(&mut self) -> Operation {
        let context = self.some_context();
        // Mostly the context's own key; now and then another, and now and then one of its older secrets.
        let owner = self.keys.iter().find(|key| key.id == context.key).cloned();
        let key = owner.filter(|_| self.rng.chance(90)).unwrap_or_else(|| self.rng.pick(&self.keys).clone());
        let address = self.some_address();
        let mut request = self.make.lookup(&key, &context, address);
        if self.rng.chance(10) {
            request.key = *self.rng.pick(&self.names.digests);
        }
        let claim = self.rng.chance(25).then(|| self.some_claim());
        Operation::Answer(LookupRequest { claim, rules: self.rules, ..request })
    }

    fn set_cap(&mut self) -> Operation {
        let cap = self.rng.chance(60).then(|| self.rng.below(40));
        let environment = *self.rng.pick(&[Environment::Live, Environment::Sandbox]);
        Operation::SetCap(self.rng.pick(&self.clients).id, environment, cap)
    }

    fn conclude(&mut self, now: Timestamp) -> Operation {
        if !self.checks.is_empty() && self.rng.chance(15) {
            return Operation::Conclude(self.rng.pick(&self.checks).clone());
        }
        let found = self.assessment();
        let (context, address) = (self.some_context(), self.some_address());
        let mut check = self.make.conclusion(&context, address, found, now);
        if self.rng.chance(30) {
            check.layer = LayerKind::Bound;
        }
        if self.rng.chance(10) {
            check.judgement = Judgement::Refused(Refusal::LayoutNotDrawn);
        }
        if self.rng.chance(20) {
            check.inputs.push(*self.rng.pick(&self.inputs));
        }
        if self.rng.chance(15) {
            check.receipt = None;
        }
        self.names.checks.push(check.check);
        self.checks.push(check.clone());
        Operation::Conclude(check)
    }

    fn assessment(&mut self) -> Assessment {
        let mut nats = |most| Nats::from_milli(i32::try_from(self.rng.below(most)).unwrap_or(0));
        match nats(3).as_milli() {
            0 => bot(),
            1 => human(),
            _ => Assessment { bot: nats(9000), human: nats(3000), groups: 2, covered: nats(4) > Nats::ZERO, ..human() },
        }
    }

    fn override_verdict(&mut self) -> Operation {
        let to = *self.rng.pick(&[OverrideTo::Bot, OverrideTo::Human]);
        let address = self.some_address();
        Operation::Override(overrule(self.rng.pick(&self.contexts), address, to))
    }

    /// Only checks that have evidence are settled, and what may have been evicted is left alone from then on.
    fn evidence(&mut self, now: Timestamp) -> Operation {
        if self.challenges.is_empty() || self.rng.chance(30) {
            let (context, address) = (self.some_context(), self.some_address());
            let challenge = self.make.challenge(&context, address, now);
            let first = self.make.batch(&challenge, 1, 64, now);
            self.names.checks.push(challenge.check);
            self.challenges.push(challenge);
            return Operation::Append(first);
        }
        let challenge = self.rng.pick(&self.challenges).clone();
        match self.rng.below(10) {
            0..6 => {
                let number = u8::try_from(1 + self.rng.below(3)).unwrap_or(1);
                Operation::Append(self.make.batch(&challenge, number, 64, now))
            }
            6..9 => Operation::Settle(challenge.check),
            _ => {
                self.challenges.retain(|other| other.opened_at >= challenge.opened_at);
                Operation::Evict(challenge.opened_at, 2)
            }
        }
    }

    fn read(&mut self, now: Timestamp) -> Operation {
        let limit = usize::try_from(1 + self.rng.below(6)).unwrap_or(1);
        let after = self.rng.below(20);
        let context = self.some_context();
        let address = self.some_address();
        match self.rng.below(6) {
            0 => Operation::Rows(context.client, context.environment, after, limit),
            1 => Operation::Audit(after, limit),
            2 => Operation::Verdicts(context.id, self.rng.chance(50).then_some(address), limit),
            3 => Operation::Timeline(context.id, address, limit),
            4 => Operation::Unsettled(now.plus(Duration::from_secs(1)), limit),
            _ => {
                let filters =
                    [ContextFilter::All, ContextFilter::Client(context.client), ContextFilter::Key(context.key)];
                Operation::Contexts(*self.rng.pick(&filters), self.rng.chance(50).then_some(context.id), limit)
            }
        }
    }

    /// Minutes, hours, days or a month on; now and then a little back.
    fn move_clock(&mut self, now: Timestamp) -> Operation {
        let spans = [MINUTE, 5 * MINUTE, DAY / 24, DAY, 3 * DAY, 31 * DAY];
        let span = Duration::from_secs(*self.rng.pick(&spans));
        let back = Duration::from_secs(self.rng.below(MINUTE));
        Operation::SetClock(if self.rng.chance(15) { now.minus(back) } else { now.plus(span) })
    }

    /// A client, or now and then one that is not there.
    fn some_client(&mut self) -> ClientId {
        if self.rng.chance(4) { nobody() } else { self.rng.pick(&self.clients).id }
    }

    /// A context, or now and then one that may not be there.
    fn some_context(&mut self) -> Context {
        let doubtful = !self.doubtful.is_empty() && self.rng.chance(10);
        self.rng.pick(if doubtful { &self.doubtful } else { &self.contexts }).clone()
    }

    fn some_address(&mut self) -> EoaAddress {
        *self.rng.pick(&self.names.addresses)
    }

    fn some_claim(&mut self) -> Claim {
        let (key, parameters) = (self.rng.pick(&self.claims).key, self.rng.pick(&self.claims[..2]).parameters);
        Claim { key, parameters }
    }
}

/// A client that is never there.
fn nobody() -> ClientId {
    ClientId::from_bytes([9; 16])
}
