//! Scenario: `kill -9` of the server under clients that retry with the same idempotency keys until answered.

use crate::harness::{
    ApiClient, Backend, LookupResult, RequestLog, ServerUnderTest, StopFlag, VerifiedLedger, pause,
};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
use anyhow::{Context, Result, ensure};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use voight_contract::block_on;
use voight_contract::generate::START;
use voight_domain::billing::{Currency, Money};
use voight_domain::invoicing::draft_invoices;
use voight_domain::metering::MeterRules;
use voight_domain::ports::Store;
use voight_tests::server::{Server, TestAccount};

/// Number of concurrent clients that look up.
const CONNECTIONS: usize = 64;
/// Number of distinct lookups.
const LOOKUPS: u64 = 5_000;
/// Number of kills of the server.
const KILLS: u64 = 5;
/// Number of lookups that must be free.
const FREE: u64 = 1_000;

pub(super) const SCENARIO: Scenario = Scenario {
    name: "retries",
    about: "kill -9 of the server under 64 clients that retry until answered: each lookup has one row and is billed once",
    unit: "lookups",
    backends: Backend::ALL,
    tried: Tried::Server,
    ci_volume: LOOKUPS,
    full_volume: 20 * LOOKUPS,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let deployment = ServerUnderTest::for_cycle(cycle, cycle.dir)
        .with_setting("VOIGHT__LIMITS__ENABLED", &false);
    let mut server = deployment.start();
    let account = server.account("acme");
    let first = RetryingClients::new(&deployment, &account);
    let repeating_clients = RetryingClients::new(&deployment, &account);
    first.send_lookups(|| kill_periodically(cycle, &deployment, &mut server, &first.request_log));
    // A client that repeats every request gets the same responses, and is not billed again.
    repeating_clients.send_lookups(|| {});
    let exit = server.stop();
    ensure!(
        exit == Some(0),
        "the last server ended with {exit:?}: {}",
        server.log()
    );
    let store = deployment.open()?;
    let ledger = VerifiedLedger::read(store.as_ref(), &account)?;
    ensure!(
        ledger.lookups() == LOOKUPS,
        "{} rows for {LOOKUPS} lookups",
        ledger.lookups()
    );
    let mut result = first.verify_answers(&ledger)?;
    repeating_clients.verify_answers(&ledger)?;
    let retried_lookups = first.retried.into_inner();
    ensure!(
        retried_lookups >= KILLS,
        "{retried_lookups} lookups were retried: the kills interrupted nothing"
    );
    check_bill(store.as_ref(), &account)?;
    drop(store);
    deployment.verify()?;
    result.volume = LOOKUPS;
    result.count("kills", KILLS);
    result.count("retried", retried_lookups);
    Ok(result)
}

/// Clients that repeat every lookup until it is answered.
struct RetryingClients<'a> {
    deployment: &'a ServerUnderTest,
    account: &'a TestAccount,
    request_log: RequestLog,
    retried: AtomicU64,
}

impl<'a> RetryingClients<'a> {
    fn new(deployment: &'a ServerUnderTest, account: &'a TestAccount) -> Self {
        Self {
            deployment,
            account,
            request_log: RequestLog::default(),
            retried: AtomicU64::new(0),
        }
    }

    /// Sends the lookups while `meanwhile` runs.
    fn send_lookups(&self, meanwhile: impl FnOnce()) {
        let stop = StopFlag::default();
        thread::scope(|scope| {
            let guard = stop.guard();
            let clients: Vec<_> = (0..CONNECTIONS)
                .map(|_| scope.spawn(|| self.send_until_stopped(&stop)))
                .collect();
            meanwhile();
            for client in clients {
                client
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            drop(guard);
        });
    }

    fn send_until_stopped(&self, stop: &StopFlag) {
        let mut api_client = ApiClient::new(self.deployment, self.account);
        loop {
            let number = self.request_log.next();
            if number >= LOOKUPS {
                return;
            }
            let key = format!("key-{number}");
            while !stop.is_set() {
                let outcome = api_client.look_up(number, Some(&key));
                if matches!(
                    outcome,
                    LookupResult::Answered(_) | LookupResult::Invalid(_)
                ) {
                    self.request_log.note(number, outcome);
                    break;
                }
                self.retried.fetch_add(1, Ordering::Relaxed);
                pause(10_000);
            }
        }
    }

    /// Verifies that every lookup was answered with its row.
    fn verify_answers(&self, ledger: &VerifiedLedger) -> Result<CycleResult> {
        let result = ledger.compare(&self.request_log)?;
        ensure!(
            result.counters.get("answered") == Some(&LOOKUPS),
            "not every lookup was answered: {result:?}"
        );
        Ok(result)
    }
}

/// Kills the server after each sixth of the lookups is answered, and starts another one.
fn kill_periodically(
    cycle: &ScenarioCycle<'_>,
    deployment: &ServerUnderTest,
    server: &mut Server,
    request_log: &RequestLog,
) {
    let mut random = cycle.random();
    for number in 1..=KILLS {
        while request_log.completed() < LOOKUPS * number / (KILLS + 1) {
            pause(1000);
        }
        pause(random.u64(..50_000));
        server.kill();
        *server = deployment.start();
    }
}

/// Verifies the client's next invoice: number of lookups, free ones, and a fifth of a cent for each other one.
fn check_bill(store: &dyn Store, account: &TestAccount) -> Result<()> {
    let client =
        block_on(store.client_named(&account.client.parse()?))?.context("the client is missing")?;
    let facts = block_on(store.billing(client.id))?.context("the client is missing")?;
    // The client has two drafts if a month ended during the scenario.
    let drafts = draft_invoices(&facts, &MeterRules::default(), START)?;
    let statements = || drafts.iter().map(|draft| &draft.statement);
    let totals: (u64, u64) = statements().fold((0, 0), |(all, free), it| {
        (all + it.billable, free + it.free())
    });
    ensure!(
        totals == (LOOKUPS, FREE),
        "(lookups, free lookups) are {totals:?}"
    );
    for statement in statements() {
        let cents = i64::try_from((statement.charged * 2 + 5) / 10)?;
        let expected_total = Money {
            minor: cents,
            currency: Currency::USD,
        };
        ensure!(
            statement.total == expected_total,
            "{} charged lookups cost {}, expected {expected_total}",
            statement.charged,
            statement.total
        );
    }
    Ok(())
}
