//! Scenario: `kill -9` of the whole server under load.

use crate::harness::{
    AdminClient, ApiClient, Backend, LookupResult, RequestLog, ServerUnderTest, StopFlag,
    VerifiedLedger, address_of, pause,
};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
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
const OVERRIDDEN: u64 = 1 << 48;

pub(super) const SCENARIO: Scenario = Scenario {
    name: "server-kill",
    about: "kill -9 of the server under load: each response has the row that it names, and each row has a request",
    unit: "kills",
    backends: Backend::ALL,
    tried: Tried::Server,
    ci_volume: KILLS,
    full_volume: 1000,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

/// Acknowledged changes other than lookups.
#[derive(Default)]
struct AcknowledgedChanges {
    contexts: Mutex<Vec<String>>,
    keys: Mutex<Vec<String>>,
    overridden: Mutex<Vec<u64>>,
}

/// Runs the cycle. A repeated cycle kills at the same times, but the interrupted work depends on the machine.
fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let deployment = ServerUnderTest::for_cycle(cycle, cycle.dir)
        .with_setting("VOIGHT__LIMITS__ENABLED", &false);
    let mut server = deployment.start();
    let account = server.account("acme");
    let admin = AdminClient::for_server(&deployment)?;
    let request_log = RequestLog::default();
    let changes = AcknowledgedChanges::default();
    let stop = StopFlag::default();
    let outcome = thread::scope(|scope| {
        let guard = stop.guard();
        for _ in 0..CONNECTIONS {
            scope.spawn(|| look_up(&deployment, &account, &request_log, &changes, &stop));
        }
        let operator = scope.spawn(|| administrate(&admin, &account, &changes, &stop));
        kill_repeatedly(cycle, &deployment, &mut server);
        drop(guard);
        operator
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    });
    outcome.context("the operator")?;
    let usage = admin.read("/admin/v1/usage")?["clients"][0].take();
    let exit = server.stop();
    ensure!(
        exit == Some(0),
        "the last server ended with {exit:?}: {}",
        server.log()
    );
    let store = deployment.open()?;
    let ledger = VerifiedLedger::read(store.as_ref(), &account)?;
    ensure!(
        usage["billable"] == json!(ledger.lookups()),
        "{} rows, usage reports {usage}",
        ledger.lookups()
    );
    let mut result = ledger.compare(&request_log)?;
    let answered_lookups = result.counters.get("answered").copied().unwrap_or_default();
    ensure!(
        answered_lookups > 4 * KILLS,
        "the load was too small: {result:?}"
    );
    changes.check(store.as_ref(), &account)?;
    drop(store);
    deployment.verify()?;
    result.volume = KILLS;
    Ok(result)
}

/// Kills the server repeatedly, and leaves one running.
fn kill_repeatedly(cycle: &ScenarioCycle<'_>, deployment: &ServerUnderTest, server: &mut Server) {
    let mut random = cycle.random();
    for _ in 0..KILLS {
        pause(random.u64(..LIFE * 1000));
        server.kill();
        // One in five is also killed at its start, which is when an earlier kill is being recovered.
        if random.u8(..5) == 0 {
            let starting_server = deployment.spawn();
            pause(random.u64(..START * 1000));
            drop(starting_server);
        }
        *server = deployment.start();
    }
}

/// Looks up until stopped, and registers a context from time to time.
fn look_up(
    deployment: &ServerUnderTest,
    account: &TestAccount,
    request_log: &RequestLog,
    changes: &AcknowledgedChanges,
    stop: &StopFlag,
) {
    let mut client = ApiClient::new(deployment, account);
    while !stop.is_set() {
        let number = request_log.next();
        let key = number.is_multiple_of(3).then(|| format!("key-{number}"));
        request_log.note(number, until_answered(&mut client, number, key.as_deref()));
        if number.is_multiple_of(97)
            && let Some(id) = client.register()
        {
            changes
                .contexts
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(id);
        }
    }
}

/// Sends the lookup, and repeats it until it is answered if it has an idempotency key.
fn until_answered(client: &mut ApiClient<'_>, number: u64, key: Option<&str>) -> LookupResult {
    let first = client.look_up(number, key);
    if first != LookupResult::Unknown {
        return first;
    }
    for _ in 0..1000 {
        pause(10_000);
        if key.is_none() {
            break;
        }
        if let answered @ LookupResult::Answered(_) = client.look_up(number, key) {
            return answered;
        }
    }
    LookupResult::Unknown
}

/// Issues keys and sets verdicts until stopped.
fn administrate(
    admin: &AdminClient<'_>,
    account: &TestAccount,
    changes: &AcknowledgedChanges,
    stop: &StopFlag,
) -> Result<()> {
    let mut number = OVERRIDDEN;
    while !stop.is_set() {
        pause(20_000);
        if let Some(key) = admin.post("/admin/v1/keys", &json!({"client": account.client}))? {
            let id = key["key_id"]
                .as_str()
                .context("a key has an id")?
                .to_owned();
            changes
                .keys
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(id);
        }
        number += 1;
        let path = format!(
            "/admin/v1/contexts/{}/verdicts/{}/override",
            account.context,
            address_of(number)
        );
        if admin
            .post(&path, &json!({"verdict": "bot", "reason": "a test"}))?
            .is_some()
        {
            changes
                .overridden
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(number);
        }
    }
    Ok(())
}

impl AcknowledgedChanges {
    /// Verifies the changes. Returns an error if a change is missing or has another owner.
    fn check(self, store: &dyn Store, account: &TestAccount) -> Result<()> {
        let context: ContextId = account.context.parse()?;
        for id in self
            .contexts
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
        {
            let context = block_on(store.context(&id.parse()?))?
                .with_context(|| format!("context {id} is missing"))?;
            ensure!(
                context.key.to_string() == account.key_id,
                "context {id} belongs to {}",
                context.key
            );
        }
        for id in self
            .keys
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
        {
            let stored_key = block_on(store.key(id.parse::<KeyId>()?))?;
            ensure!(stored_key.is_some(), "key {id} is missing");
        }
        for number in self
            .overridden
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner)
        {
            let verdict = block_on(store.verdict(&context, &address_of(number)))?;
            let is_bot =
                verdict.is_some_and(|verdict| answer(&verdict, &ContextSettings::default()).is_bot);
            ensure!(is_bot, "the override of {} is missing", address_of(number));
        }
        Ok(())
    }
}
