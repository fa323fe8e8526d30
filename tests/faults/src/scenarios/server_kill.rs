//! Scenario: `kill -9` of the whole server under load.

use crate::harness::{
    AdminClient, ApiClient, Backend, LookupResult, RequestLog, ServerUnderTest, StopFlag, VerifiedLedger, address_of,
    pause,
};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use anyhow::{Context, Result, ensure};
use serde_json::json;
use std::sync::{Mutex, PoisonError};
use std::thread;
use voight_contract::block_on;
use voight_domain::ports::Store;
use voight_domain::registry::ContextSettings;
use voight_domain::verdict::answer;
use voight_domain::vocabulary::{ContextId, KeyId};
use voight_tests::server::{Server, TestAccount};

/// Number of kills of one server; then a new one is created.
const KILLS: u64 = 25;
/// Number of concurrent clients that look up.
const CONNECTIONS: u64 = 16;
/// Maximum lifetime of a server before it is killed, in milliseconds.
const LIFE: u64 = 400;
/// Maximum duration of a start before it is killed, in milliseconds.
const START: u64 = 100;
/// First address whose verdict an operator sets, and which is never looked up.
const DECIDED: u64 = 1 << 48;

pub(super) const ROW: Scenario = Scenario {
    name: "server-kill",
    about: "kill -9 of the server under load: each answer has the row that it names, and no row is without a request",
    unit: "kills",
    subjects: Backend::ALL,
    ci_units: KILLS,
    goal: 1000,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

/// Acknowledged changes other than lookups.
#[derive(Default)]
struct AcknowledgedChanges {
    contexts: Mutex<Vec<String>>,
    keys: Mutex<Vec<String>>,
    decided: Mutex<Vec<u64>>,
}

/// Runs the cycle. A repeated cycle kills at the same times, but the interrupted work depends on the machine.
fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let house = ServerUnderTest::for_cycle(cycle, cycle.folder).with_setting("VOIGHT__LIMITS__ENABLED", &false);
    let mut server = house.start();
    let account = server.account("acme");
    let operator = AdminClient::for_server(&house)?;
    let (journal, kept, stop) = (RequestLog::default(), AcknowledgedChanges::default(), StopFlag::default());
    let outcome = thread::scope(|scope| {
        let at_end = stop.at_end();
        for _ in 0..CONNECTIONS {
            scope.spawn(|| look_up(&house, &account, &journal, &kept, &stop));
        }
        let office = scope.spawn(|| decide(&operator, &account, &kept, &stop));
        kill_again_and_again(cycle, &house, &mut server);
        drop(at_end);
        office.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    outcome.context("the operator")?;
    let usage = operator.read("/admin/v1/usage")?["clients"][0].take();
    let exit = server.stop();
    ensure!(exit == Some(0), "the last server ended with {exit:?}: {}", server.log());
    let store = house.open()?;
    let books = VerifiedLedger::read(store.as_ref(), &account)?;
    ensure!(usage["billable"] == json!(books.lookups()), "{} rows, and usage says {usage}", books.lookups());
    let mut tally = books.compare(&journal)?;
    let answered = tally.seen.get("answered").copied().unwrap_or_default();
    ensure!(answered > 4 * KILLS, "the load was too small to prove anything: {tally:?}");
    kept.check(store.as_ref(), &account)?;
    drop(store);
    house.verify()?;
    tally.units = KILLS;
    Ok(tally)
}

/// Kills the server repeatedly, and leaves one running.
fn kill_again_and_again(cycle: &ScenarioCycle<'_>, house: &ServerUnderTest, server: &mut Server) {
    let mut random = cycle.random();
    for _ in 0..KILLS {
        pause(random.u64(..LIFE * 1000));
        server.kill();
        // One in five is also killed at its start, which is when an earlier kill is being recovered.
        if random.u8(..5) == 0 {
            let early = house.spawn();
            pause(random.u64(..START * 1000));
            drop(early);
        }
        *server = house.start();
    }
}

/// Looks up until told to stop, and registers a context from time to time.
fn look_up(
    house: &ServerUnderTest,
    account: &TestAccount,
    journal: &RequestLog,
    kept: &AcknowledgedChanges,
    stop: &StopFlag,
) {
    let mut customer = ApiClient::new(house, account);
    while !stop.is_set() {
        let number = journal.next();
        let key = number.is_multiple_of(3).then(|| format!("key-{number}"));
        journal.note(number, until_answered(&mut customer, number, key.as_deref()));
        if number.is_multiple_of(97)
            && let Some(id) = customer.register()
        {
            kept.contexts.lock().unwrap_or_else(PoisonError::into_inner).push(id);
        }
    }
}

/// Sends the lookup, and repeats it until it is answered if it has an idempotency key.
fn until_answered(customer: &mut ApiClient<'_>, number: u64, key: Option<&str>) -> LookupResult {
    let first = customer.look_up(number, key);
    if first != LookupResult::Unknown {
        return first;
    }
    for _ in 0..1000 {
        pause(10_000);
        if key.is_none() {
            break;
        }
        if let told @ LookupResult::Answered(_) = customer.look_up(number, key) {
            return told;
        }
    }
    LookupResult::Unknown
}

/// Issues keys and sets verdicts until told to stop.
fn decide(
    operator: &AdminClient<'_>,
    account: &TestAccount,
    kept: &AcknowledgedChanges,
    stop: &StopFlag,
) -> Result<()> {
    let mut number = DECIDED;
    while !stop.is_set() {
        pause(20_000);
        if let Some(key) = operator.post("/admin/v1/keys", &json!({"client": account.client}))? {
            let id = key["key_id"].as_str().context("a key has an id")?.to_owned();
            kept.keys.lock().unwrap_or_else(PoisonError::into_inner).push(id);
        }
        number += 1;
        let path = format!("/admin/v1/contexts/{}/verdicts/{}/override", account.context, address_of(number));
        if operator.post(&path, &json!({"to": "bot", "reason": "a test"}))?.is_some() {
            kept.decided.lock().unwrap_or_else(PoisonError::into_inner).push(number);
        }
    }
    Ok(())
}

impl AcknowledgedChanges {
    /// Verifies the changes. Returns an error if a change is missing or has another owner.
    fn check(self, store: &dyn Store, account: &TestAccount) -> Result<()> {
        let context: ContextId = account.context.parse()?;
        for id in self.contexts.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let found = block_on(store.context(&id.parse()?))?.with_context(|| format!("context {id} is gone"))?;
            ensure!(found.key.to_string() == account.key_id, "context {id} belongs to {}", found.key);
        }
        for id in self.keys.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let found = block_on(store.key(id.parse::<KeyId>()?))?;
            ensure!(found.is_some(), "key {id} is gone");
        }
        for number in self.decided.into_inner().unwrap_or_else(PoisonError::into_inner) {
            let verdict = block_on(store.verdict(&context, &address_of(number)))?;
            let is_bot = verdict.is_some_and(|verdict| answer(&verdict, &ContextSettings::default()).is_bot);
            ensure!(is_bot, "the decision on {} is gone", address_of(number));
        }
        Ok(())
    }
}
