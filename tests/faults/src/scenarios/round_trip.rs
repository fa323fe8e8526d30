//! Scenario: migration of a store from machine to machine.
//!
//! The store is served, backed up under load, restored, copied to the other kind of store, served there, and copied back.

use crate::harness::{
    AdminClient, ApiClient, Backend, RequestLog, ServerUnderTest, StopFlag, VerifiedLedger, address_of, pause,
};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use voight_tests::command;
use voight_tests::server::{Server, TestAccount};

/// Number of concurrent clients that look up.
const CONNECTIONS: usize = 16;
/// Number of concurrent operators that set verdicts.
const OPERATORS: usize = 2;
/// Number of lookups per verdict.
const PER_VERDICT: u64 = 10;
/// First address whose verdict operators set, and which is never looked up.
const DECIDED: u64 = 1 << 48;

pub(super) const ROW: Scenario = Scenario {
    name: "full-loop",
    about: "serve, back up under load, restore, copy to the other store, serve there, copy back: equal bytes and answers",
    unit: "lookups",
    subjects: &[Backend::Redb],
    ci_units: 2_000,
    goal: 100_000,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let folder = |name: &str| cycle.folder.join(name);
    let first = served(ServerUnderTest::for_cycle(cycle, cycle.folder));
    let mut server = first.start();
    let account = server.account("acme");
    let (journal, busy) = (RequestLog::default(), folder("busy.dump"));
    let answered_before = fill(&first, &account, &journal, cycle.wanted, &busy)?;
    let answers = ObservableState::collect(&first, &account)?;
    stop(&mut server)?;
    let books = VerifiedLedger::read(first.open()?.as_ref(), &account)?;
    let mut tally = books.compare(&journal)?;
    ensure!(tally.seen.get("answered") == Some(&books.lookups()), "not every lookup was answered: {tally:?}");

    // The backup that was taken under load holds everything that was answered before it began.
    let restored = restored(&first, &busy, &folder("under-load"))?;
    let lookups = VerifiedLedger::read(restored.open()?.as_ref(), &account)?.lookups();
    ensure!(lookups >= answered_before, "{answered_before} were answered before the backup, which holds {lookups}");
    restored.verify()?;
    tally.count("lookups in the backup under load", lookups);

    // A backup of everything is restored, copied and compared.
    let whole = folder("whole.dump");
    let proof = backup(&first, &whole)?;
    let again = self::restored(&first, &whole, &folder("restored"))?;
    let sled = served(ServerUnderTest::new(Backend::Sled, folder("on-sled"), folder("copy.sled")));
    pepper(&first, sled.data_dir())?;
    same(&proof, &copy(&again, &sled)?)?;
    let mut server = sled.start();
    ensure!(ObservableState::collect(&sled, &account)? == answers, "a copy on sled answers something else");
    stop(&mut server)?;
    // The listing of verdicts was a bulk read, whose audit entry is in this copy.
    let proof = backup(&sled, &folder("on-sled.dump"))?;
    let back = ServerUnderTest::new(Backend::Redb, folder("back"), folder("back.redb"));
    same(&proof, &copy(&sled, &back)?)?;
    back.verify()?;
    tally.units = books.lookups();
    tally.count("records", proof["rows"].as_u64().unwrap_or_default());
    Ok(tally)
}

/// State that a client of a store can observe.
#[derive(PartialEq)]
struct ObservableState {
    usage: Value,
    verdicts: Vec<Value>,
}

impl ObservableState {
    fn collect(house: &ServerUnderTest, account: &TestAccount) -> Result<Self> {
        let operator = AdminClient::for_server(house)?;
        let usage = operator.read("/admin/v1/usage")?;
        let list = ["--json", "verdict", "list", "--context", &account.context];
        let output = command::run(house.data_dir(), &list);
        ensure!(output.status.success(), "verdicts: {}", String::from_utf8_lossy(&output.stderr));
        Ok(Self { usage, verdicts: serde_json::from_slice(&output.stdout)? })
    }
}

fn served(house: ServerUnderTest) -> ServerUnderTest {
    house.with_setting("VOIGHT__LIMITS__ENABLED", &false)
}

fn stop(server: &mut Server) -> Result<()> {
    let exit = server.stop();
    ensure!(exit == Some(0), "the server ended with {exit:?}: {}", server.log());
    Ok(())
}

/// Looks up and sets verdicts up to the volume, and takes a backup half-way.
///
/// Returns the number of lookups that were answered before the backup.
fn fill(house: &ServerUnderTest, account: &TestAccount, journal: &RequestLog, lookups: u64, out: &Path) -> Result<u64> {
    let (decided, stop) = (AtomicU64::new(0), StopFlag::default());
    thread::scope(|scope| {
        let at_end = stop.at_end();
        for _ in 0..CONNECTIONS {
            scope.spawn(|| {
                let mut customer = ApiClient::new(house, account);
                while journal.ask_below(lookups, &mut customer) && !stop.is_set() {}
            });
        }
        let office = || decide(house, account, &decided, lookups / PER_VERDICT);
        let offices: Vec<_> = (0..OPERATORS).map(|_| scope.spawn(office)).collect();
        while journal.completed() < lookups / 2 {
            pause(1000);
        }
        let answered = journal.completed();
        backup(house, out).context("under load")?;
        for office in offices {
            office.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        while journal.completed() < lookups {
            pause(1000);
        }
        drop(at_end);
        Ok(answered)
    })
}

fn decide(house: &ServerUnderTest, account: &TestAccount, decided: &AtomicU64, end: u64) -> Result<()> {
    let operator = AdminClient::for_server(house)?;
    loop {
        let number = decided.fetch_add(1, Ordering::Relaxed);
        if number >= end {
            return Ok(());
        }
        let path = format!("/admin/v1/contexts/{}/verdicts/{}/override", account.context, address_of(DECIDED + number));
        operator.post(&path, &json!({"to": "bot", "reason": "a test"}))?.context("a decision was not answered")?;
    }
}

/// Returns `{rows, hash}` of a backup: by the server if it runs, otherwise of the files.
fn backup(house: &ServerUnderTest, out: &Path) -> Result<Value> {
    store(house.data_dir(), &house.url(), &["backup", "--out", &out.display().to_string()])
}

/// Restores a backup of this server into another one.
fn restored(from: &ServerUnderTest, dump: &Path, data_dir: &Path) -> Result<ServerUnderTest> {
    let to = ServerUnderTest::new(Backend::Redb, data_dir.to_owned(), data_dir.join("voight.redb"));
    pepper(from, data_dir)?;
    store(data_dir, &to.url(), &["restore", &dump.display().to_string()])?;
    Ok(to)
}

fn copy(from: &ServerUnderTest, to: &ServerUnderTest) -> Result<Value> {
    Ok(store(from.data_dir(), &from.url(), &["copy", "--from", &from.url(), "--to", &to.url()])?["to"].take())
}

fn same(expected: &Value, found: &Value) -> Result<()> {
    for member in ["rows", "hash"] {
        ensure!(expected[member] == found[member], "{member}: {} and not {}", found[member], expected[member]);
    }
    Ok(())
}

fn pepper(from: &ServerUnderTest, data_dir: &Path) -> Result<()> {
    fs::create_dir_all(data_dir)?;
    fs::copy(from.data_dir().join("pepper"), data_dir.join("pepper"))?;
    Ok(())
}

/// Runs `voight store …` and returns its JSON output.
fn store(data_dir: &Path, url: &str, arguments: &[&str]) -> Result<Value> {
    let mut command = command::voight(data_dir);
    let output = command.env("VOIGHT__STORE__URL", url).args(["--json", "store"]).args(arguments).output()?;
    ensure!(output.status.success(), "store {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(serde_json::from_slice(&output.stdout)?)
}
