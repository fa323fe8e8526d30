//! Fixture: a service in memory.

use std::ops::Deref;
use std::sync::Arc;
use voight_domain::check::{
    AddressFamily, Disclosure, FirstInput, GateRejection, RequestMetadata, StageSize,
};
use voight_domain::metering::MeterRules;
use voight_domain::ports::{
    Assessor, BatchSummary, CandidatePolicy, CheckEvidence, DisabledOutbound, DrawTarget, Entropy,
    EvidenceError, InvalidPolicy, JudgedCheck, Judgement, PolicyLoader,
};
use voight_domain::registry::{Client, KeyWithClient};
use voight_domain::secrets::{NetworkHash, Pepper, Secrets};
use voight_domain::services::{
    IssueKey, IssuedKey, OpenCheck, OpenedCheck, Policies, Ports, ProofOfWorkPolicy, Registration,
    RegistrationRequest, Services,
};
use voight_domain::verdict::{Assessment, Nats};
use voight_domain::vocabulary::ScopeSet;
use voight_domain::{ContextId, Environment, EoaAddress};
use voight_memory::MemoryStore;
use voight_support::{CountingEntropy, ManualClock, NOW, poll_now};

/// Parses batches of the form `context address number [answer]` and returns a fixed assessment for every check.
struct ScriptedAssessor(Assessment);

impl Assessor for ScriptedAssessor {
    fn summarise_batch(&self, body: &[u8]) -> Result<BatchSummary, EvidenceError> {
        let text = std::str::from_utf8(body).map_err(|_| EvidenceError("not UTF-8".into()))?;
        let mut words = text.split(' ').map(str::to_owned);
        let mut next = |what: &str| {
            words
                .next()
                .ok_or_else(|| EvidenceError(format!("{what} is missing")))
        };
        let context = next("the context")?;
        let address = next("the address")?;
        let number = next("the number")?;
        let number = number
            .parse()
            .map_err(|_| EvidenceError("the number is none".into()))?;
        let stage = StageSize {
            width: 400.0,
            height: 300.0,
            target_width: 120.0,
            target_height: 56.0,
        };
        let answer = words.next();
        Ok(BatchSummary {
            context,
            address,
            number,
            answer,
            first_input: FirstInput::Pointer,
            stage: Some(stage),
            input: None,
        })
    }

    fn judge(
        &self,
        check: &CheckEvidence<'_>,
        _: &DrawTarget<'_>,
    ) -> Result<JudgedCheck, EvidenceError> {
        let judgement = if check.completed && check.batches.len() < 2 {
            Judgement::Rejected(GateRejection::Incomplete)
        } else {
            Judgement::Assessed(self.0.clone())
        };
        Ok(JudgedCheck {
            judgement,
            inputs: Vec::new(),
        })
    }

    fn disclose(&self) -> &'static [Disclosure] {
        &[]
    }
}

/// Loader that accepts no policy.
struct NoCandidates;

impl PolicyLoader for NoCandidates {
    fn candidate(&self, _: &[u8]) -> Result<CandidatePolicy, InvalidPolicy> {
        Err(InvalidPolicy("none is accepted".into()))
    }
}

/// Rules with a small allowance, so that a short test pays for some lookups.
pub(crate) const ALLOWANCE: u64 = 5;

/// Complete service in memory.
pub(crate) struct Fixture {
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) ports: Ports,
    services: Services,
}

impl Deref for Fixture {
    type Target = Services;

    fn deref(&self) -> &Services {
        &self.services
    }
}

/// Assessment that flags an address.
pub(crate) fn robot() -> Assessment {
    Assessment {
        bot: Nats::from_milli(6000),
        hard: true,
        conclusive: true,
        ..Assessment::default()
    }
}

/// Assessment of a human.
pub(crate) fn person() -> Assessment {
    Assessment {
        human: Nats::from_milli(2000),
        conclusive: true,
        ..Assessment::default()
    }
}

impl Fixture {
    /// Creates a service whose assessor returns `assessment` for every check.
    pub(crate) fn new(assessment: Assessment) -> Self {
        let [service] = Self::on_one_store([assessment]);
        service
    }

    /// Creates two nodes on one store.
    pub(crate) fn nodes() -> [Self; 2] {
        Self::on_one_store([person(), person()])
    }

    fn on_one_store<const N: usize>(assessments: [Assessment; N]) -> [Self; N] {
        let clock = Arc::new(ManualClock::new(NOW));
        let entropy: Arc<dyn Entropy> = Arc::new(CountingEntropy::default());
        let store = Arc::new(MemoryStore::new(clock.clone(), 1 << 20));
        assessments.map(|assessment| {
            let ports = Ports {
                store: store.clone(),
                assessor: Arc::new(ScriptedAssessor(assessment)),
                candidates: Arc::new(NoCandidates),
                clock: clock.clone(),
                entropy: entropy.clone(),
                outbound: Arc::new(DisabledOutbound),
                secrets: Secrets::derive(&Pepper::from_bytes([7; 32]), 0),
            };
            let metering = MeterRules {
                allowance: ALLOWANCE,
                ..MeterRules::default()
            };
            let proof_of_work = ProofOfWorkPolicy {
                proof_of_work_bits: 4,
                max_proof_of_work_bits: 6,
            };
            let services = Services::new(
                &ports,
                Policies {
                    metering,
                    proof_of_work,
                    ..Policies::default()
                },
            );
            Self {
                clock: clock.clone(),
                ports,
                services,
            }
        })
    }

    pub(crate) fn client(&self, name: &str) -> Client {
        poll_now(self.registry.create_client(name.parse().expect("a name"))).expect("a client")
    }

    pub(crate) fn key(&self, client: &Client) -> IssuedKey {
        self.key_of(client, Environment::Live)
    }

    fn key_of(&self, client: &Client, environment: Environment) -> IssuedKey {
        let request = IssueKey {
            client: client.id,
            environment,
            scopes: ScopeSet::all(),
            networks: vec![],
            expires_at: None,
            label: None,
        };
        poll_now(self.registry.issue_key(request)).expect("a key")
    }

    /// Returns a key with its client, and a registered context.
    pub(crate) fn context(&self, name: &str) -> (KeyWithClient, ContextId) {
        self.context_of(name, Environment::Live)
    }

    pub(crate) fn context_of(
        &self,
        name: &str,
        environment: Environment,
    ) -> (KeyWithClient, ContextId) {
        let issued_key = self.key_of(&self.client(name), environment);
        let (holder, _) =
            poll_now(self.registry.authenticate(issued_key.secret.expose())).expect("a valid key");
        let context = self.register(&holder, "spring");
        (holder, context)
    }

    /// Registers another context for a key.
    pub(crate) fn register(&self, holder: &KeyWithClient, title: &str) -> ContextId {
        let request = RegistrationRequest {
            title: title.parse().expect("a title"),
            idempotency_key: None,
        };
        let actor = voight_domain::registry::Actor::Key(holder.key.id);
        match poll_now(self.registry.register_context(holder, request, actor))
            .expect("a registration")
        {
            Registration::Registered(id) => id,
            other => panic!("a new context, not {other:?}"),
        }
    }

    pub(crate) fn open(&self, context: &ContextId, session: Option<String>) -> OpenedCheck {
        poll_now(self.checks.open_check(opening(context, session))).expect("an open check")
    }

    /// Returns the solution of a check's proof of work.
    pub(crate) fn solve(opened_check: &OpenedCheck) -> String {
        (0..100_000)
            .map(|n: u32| n.to_string())
            .find(|n| opened_check.work.is_solved_by(n))
            .expect("a solution")
    }
}

pub(crate) const ADDRESS: EoaAddress = EoaAddress::from_bytes([0xab; 20]);

pub(crate) fn opening(context: &ContextId, session: Option<String>) -> OpenCheck {
    OpenCheck {
        context: context.clone(),
        address: ADDRESS,
        origin: "https://quest.example".parse().expect("an origin"),
        origin_site: "https://quest.example/q/1".into(),
        session,
        rate_excess: 0,
    }
}

pub(crate) fn call() -> RequestMetadata {
    RequestMetadata {
        headers: vec![],
        network: NetworkHash([0; 16]),
        family: AddressFamily::V4,
    }
}
