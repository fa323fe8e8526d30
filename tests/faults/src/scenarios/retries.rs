//! Scenario: `kill -9` of the server under clients that retry with the same idempotency keys until answered.

use crate::harness::{ApiClient, Backend, LookupResult, RequestLog, ServerUnderTest, StopFlag, VerifiedLedger, pause};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
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

pub(super) const ROW: Scenario = Scenario {
    name: "retries",
    about: "kill -9 of the server under 64 clients that retry until answered: each lookup has one row, and is billed once",
    unit: "lookups",
    subjects: Backend::ALL,
    ci_units: LOOKUPS,
    goal: 20 * LOOKUPS,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let house = ServerUnderTest::for_cycle(cycle, cycle.folder).with_setting("VOIGHT__LIMITS__ENABLED", &false);
    let mut server = house.start();
    let account = server.account("acme");
    let (first, again) = (RetryingClients::new(&house, &account), RetryingClients::new(&house, &account));
    first.ask_all(|| kill_now_and_then(cycle, &house, &mut server, &first.journal));
    // A client that repeats every request gets the same responses, and is not billed again.
    again.ask_all(|| {});
    let exit = server.stop();
    ensure!(exit == Some(0), "the last server ended with {exit:?}: {}", server.log());
    let store = house.open()?;
    let books = VerifiedLedger::read(store.as_ref(), &account)?;
    ensure!(books.lookups() == LOOKUPS, "{} rows for {LOOKUPS} lookups", books.lookups());
    let mut tally = first.told_all(&books)?;
    again.told_all(&books)?;
    let retried = first.retried.into_inner();
    ensure!(retried >= KILLS, "{retried} lookups were asked again, so the kills have met nothing");
    check_bill(store.as_ref(), &account)?;
    drop(store);
    house.verify()?;
    tally.units = LOOKUPS;
    tally.count("kills", KILLS);
    tally.count("asked again", retried);
    Ok(tally)
}

/// Clients that repeat every lookup until it is answered.
struct RetryingClients<'a> {
    house: &'a ServerUnderTest,
    account: &'a TestAccount,
    journal: RequestLog,
    retried: AtomicU64,
}

impl<'a> RetryingClients<'a> {
    fn new(house: &'a ServerUnderTest, account: &'a TestAccount) -> Self {
        Self { house, account, journal: RequestLog::default(), retried: AtomicU64::new(0) }
    }

    /// Sends the lookups while `meanwhile` runs.
    fn ask_all(&self, meanwhile: impl FnOnce()) {
        let stop = StopFlag::default();
        thread::scope(|scope| {
            let at_end = stop.at_end();
            let clients: Vec<_> = (0..CONNECTIONS).map(|_| scope.spawn(|| self.send_until_stopped(&stop))).collect();
            meanwhile();
            for client in clients {
                client.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
            drop(at_end);
        });
    }

    fn send_until_stopped(&self, stop: &StopFlag) {
        let mut customer = ApiClient::new(self.house, self.account);
        loop {
            let number = self.journal.next();
            if number >= LOOKUPS {
                return;
            }
            let key = format!("key-{number}");
            while !stop.is_set() {
                let outcome = customer.look_up(number, Some(&key));
                if matches!(outcome, LookupResult::Answered(_) | LookupResult::Wrong(_)) {
                    self.journal.note(number, outcome);
                    break;
                }
                self.retried.fetch_add(1, Ordering::Relaxed);
                pause(10_000);
            }
        }
    }

    /// Verifies that every lookup was answered with its row.
    fn told_all(&self, books: &VerifiedLedger) -> Result<CycleResult> {
        let tally = books.compare(&self.journal)?;
        ensure!(tally.seen.get("answered") == Some(&LOOKUPS), "not every lookup was answered: {tally:?}");
        Ok(tally)
    }
}

/// Kills the server after each sixth of the lookups is answered, and starts another one.
fn kill_now_and_then(cycle: &ScenarioCycle<'_>, house: &ServerUnderTest, server: &mut Server, journal: &RequestLog) {
    let mut random = cycle.random();
    for number in 1..=KILLS {
        while journal.completed() < LOOKUPS * number / (KILLS + 1) {
            pause(1000);
        }
        pause(random.u64(..50_000));
        server.kill();
        *server = house.start();
    }
}

/// Verifies the client's next invoice: number of lookups, free ones, and a fifth of a cent for each other one.
fn check_bill(store: &dyn Store, account: &TestAccount) -> Result<()> {
    let client = block_on(store.client_named(&account.client.parse()?))?.context("the client is gone")?;
    let facts = block_on(store.billing(client.id))?.context("the client is gone")?;
    // More than one, if a month has ended meanwhile.
    let drafts = draft_invoices(&facts, &MeterRules::default(), START)?;
    let statements = || drafts.iter().map(|draft| &draft.statement);
    let counted: (u64, u64) = statements().fold((0, 0), |(all, free), it| (all + it.billable, free + it.free()));
    ensure!(counted == (LOOKUPS, FREE), "{counted:?} are the lookups and the free ones");
    for statement in statements() {
        let cents = i64::try_from((statement.charged * 2 + 5) / 10)?;
        let due = Money { minor: cents, currency: Currency::USD };
        ensure!(statement.total == due, "{} paid lookups cost {} and not {due}", statement.charged, statement.total);
    }
    Ok(())
}
