//! Calls that are repeated because their outcome is unknown.

use super::super::cases;
use crate::fault_injection::{FaultDuration, FaultKind, FaultyStore, InjectedFault};
use crate::fixture::{ALL, FOREVER, Fixture};
use crate::generate::{ValueGenerator, address, bot, current, erasure, human};
use crate::histories::Operation;
use crate::state_dump::{EntityRefs, assert_same, everything};
use voight_domain::check::Redemption;
use voight_domain::metering::{LedgerId, Limit, LookupRequest};
use voight_domain::ports::Store;
use voight_domain::registry::{Actor, AdminTokenChange, ContextTransfer, TransferScope};
use voight_domain::vocabulary::{ClientId, Environment, Timestamp};
use voight_domain::webhooks::{DeliveryConclusion, DueAttempt, EndpointChange};

cases![retries_are_idempotent];

/// Tests each call of a script in two ways. Either it alone loses its reply and is repeated, or it and all later calls
/// fail and the whole script is repeated. In both, the final state is as without failures.
fn retries_are_idempotent(fixture: &mut Fixture) {
    let script = CallScript::new(fixture.now());
    script.run(fixture.store());
    let expected_state = everything(fixture.store(), &script.names);
    for call in 1..=script.calls.len() {
        let retried_call = fixture.fresh();
        let retried_script = fixture.fresh();
        repeat_one(&script, &retried_call, call);
        repeat_all(&script, &retried_script, call);
        for store in [retried_call.store(), retried_script.store()] {
            assert_same(
                &everything(store, &script.names),
                &expected_state,
                &format!("after call {call} had failed"),
            );
        }
    }
}

fn repeat_one(script: &CallScript, fixture: &Fixture, call: usize) {
    let fault = InjectedFault {
        call: call as u64,
        times: FaultDuration::Once,
        failure: FaultKind::Made,
    };
    let faulty = FaultyStore::wrap(fixture.shared(), fault);
    for (number, operation) in (1..).zip(&script.calls) {
        let outcome = operation.apply(&faulty, script.now);
        assert_eq!(
            is_unknown_outcome(&outcome),
            number == call,
            "call {number}: {outcome}"
        );
        if number == call {
            let repetition = operation.apply(&faulty, script.now);
            assert!(
                !is_unknown_outcome(&repetition),
                "the repetition of call {number}: {repetition}"
            );
        }
    }
    assert_eq!(faulty.calls(), script.calls.len() as u64 + 1);
}

fn repeat_all(script: &CallScript, fixture: &Fixture, call: usize) {
    let failure = if call.is_multiple_of(2) {
        FaultKind::Rejected
    } else {
        FaultKind::Lost
    };
    let faulty = FaultyStore::wrap(
        fixture.shared(),
        InjectedFault {
            call: call as u64,
            times: FaultDuration::ForEver,
            failure,
        },
    );
    let outcomes = script.run(&faulty);
    assert!(
        outcomes[call - 1..]
            .iter()
            .all(|outcome| is_unknown_outcome(outcome)),
        "{outcomes:?}"
    );
    let repetitions = script.run(fixture.store());
    assert!(
        !repetitions
            .iter()
            .any(|outcome| is_unknown_outcome(outcome)),
        "{repetitions:?}"
    );
}

/// Returns `true` if the call has to be repeated: it was not applied, or its outcome is unknown.
fn is_unknown_outcome(outcome: &str) -> bool {
    outcome.starts_with("Err(NotApplied") || outcome.starts_with("Err(MaybeApplied")
}

/// Script of calls that identify their results. Each names an id, an idempotency key, a check, or the number of a
/// batch.
struct CallScript {
    now: Timestamp,
    calls: Vec<Operation>,
    names: EntityRefs,
}

impl CallScript {
    fn new(now: Timestamp) -> Self {
        let make = ValueGenerator::default();
        let client = make.client(now);
        let key = make.key(client.id, Environment::Live, now);
        let other_key = make.key(client.id, Environment::Live, now);
        let context = make.context(&key, now);
        let lookup = |number| LookupRequest {
            idempotency: Some(make.idempotency()),
            ..make.lookup(&key, &context, address(number))
        };
        let check = |assessment| make.conclusion(&context, address(1), assessment, now);
        let first = check(bot());
        let second = check(human());
        let challenge = make.challenge(&context, address(2), now);
        let receipt = make.receipt(&context, address(1), now);
        let idempotency = Some(make.redemption_idempotency(&receipt));
        let redemption = Redemption {
            idempotency,
            ..make.redemption(&context, &receipt)
        };
        let admin_token = make.admin_token("ci", now);
        let user = make.user("Ada", now);
        let link_redemption = make.link_redemption(&user, now);
        let moving = |scope, to| {
            let reason = "moved".to_owned();
            ContextTransfer {
                scope,
                to,
                at: now,
                actor: Actor::Operator,
                reason,
            }
        };
        let names = EntityRefs {
            digests: vec![current(&key), current(&other_key)],
            checks: vec![first.check, second.check, challenge.check],
            addresses: vec![address(1), address(2)],
        };
        let mut calls = vec![
            Operation::CreateClient(client.clone()),
            Operation::CreateKey(key.clone()),
            Operation::Register(context.clone(), Some(make.idempotency())),
            Operation::SetLimit(LedgerId::live(client.id), Limit::Lookups(Some(9))),
            Operation::Answer(lookup(1)),
            Operation::Conclude(first),
            Operation::Answer(lookup(1)),
            Operation::Conclude(second),
            Operation::Redeem(redemption),
            Operation::Append(make.batch(&challenge, 1, 100, now), FOREVER),
            Operation::Append(make.batch(&challenge, 2, 100, now), FOREVER),
            Operation::Settle(challenge.check),
            Operation::UseSigningKey(1),
            Operation::CreateAdminToken(admin_token.clone()),
            Operation::ChangeAdminToken(admin_token.id, AdminTokenChange::Rotate { generation: 1 }),
            Operation::CreateUser(user.clone()),
            Operation::ChangeUser(user.id, link_redemption),
            Operation::Erase(erasure(address(2), [&context])),
            Operation::CreateKey(other_key.clone()),
            Operation::Transfer(moving(TransferScope::Context(context.id), other_key.id)),
            Operation::Transfer(moving(TransferScope::RevokedKey(other_key.id), key.id)),
        ];
        calls.extend(endpoint_calls(&make, client.id, now));
        Self { now, calls, names }
    }

    /// Makes every call and returns the results.
    fn run(&self, store: &dyn Store) -> Vec<String> {
        self.calls
            .iter()
            .map(|call| call.apply(store, self.now))
            .collect()
    }
}

/// Returns the calls of endpoints. A conclusion that only postpones an attempt can be repeated; a log has a record for each
/// repetition of others. A change that a later call undoes is not among them, because a repetition of both is audited.
fn endpoint_calls(make: &ValueGenerator, client: ClientId, now: Timestamp) -> Vec<Operation> {
    let new_endpoint = || make.endpoint(client, Environment::Live, now);
    let [endpoint, paused_endpoint] = [(); 2].map(|()| new_endpoint());
    let name = endpoint.name();
    let paused_name = paused_endpoint.name();
    let url = "https://platform.example/new".to_owned();
    // One of them is the event of the key below.
    let attempts = (1..30).map(|event| DueAttempt { event, number: 1 });
    let conclusion = DeliveryConclusion {
        lease: None,
        attempts: Vec::new(),
        postponed: attempts.collect(),
    };
    let pause = vec![EndpointChange::Url(url.clone()), EndpointChange::Pause];
    vec![
        Operation::CreateEndpoint(endpoint),
        Operation::ChangeEndpoint(name, vec![EndpointChange::Url(url)]),
        Operation::ChangeEndpoint(name, vec![EndpointChange::Resume]),
        Operation::CreateEndpoint(paused_endpoint),
        Operation::ChangeEndpoint(paused_name, pause),
        Operation::CreateKey(make.key(client, Environment::Live, now)),
        Operation::ClaimDeliveries(name, ALL),
        Operation::ConcludeDeliveries(name, conclusion),
        Operation::PurgeDeliveries(FOREVER),
    ]
}
