//! Scenario: migration of a store from machine to machine.
//!
//! The store is served, backed up under load, restored, copied to the other backend, served there, and copied back.

use crate::harness::{
    AdminClient, ApiClient, Backend, RequestLog, ServerUnderTest, StopFlag, VerifiedLedger,
    address_of, pause,
};
use crate::scenario::{CycleResult, Scenario, ScenarioCycle};
use crate::sources::Tried;
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
const OVERRIDDEN: u64 = 1 << 48;

pub(super) const SCENARIO: Scenario = Scenario {
    name: "full-loop",
    about: "serve, back up under load, restore, copy to the other backend, serve there, copy back: equal bytes and responses",
    unit: "lookups",
    backends: &[Backend::Redb],
    tried: Tried::ServerWithEveryStore,
    ci_volume: 2_000,
    full_volume: 100_000,
    unmet_requirement: || None,
    run,
    expects_loss: false,
};

fn run(cycle: &ScenarioCycle<'_>) -> Result<CycleResult> {
    let dir = |name: &str| cycle.dir.join(name);
    let first = without_rate_limits(ServerUnderTest::for_cycle(cycle, cycle.dir));
    let mut server = first.start();
    let account = server.account("acme");
    let request_log = RequestLog::default();
    let busy = dir("busy.dump");
    let answered_before = fill(&first, &account, &request_log, cycle.remaining, &busy)?;
    let answers = ObservableState::collect(&first, &account)?;
    stop(&mut server)?;
    let ledger = VerifiedLedger::read(first.open()?.as_ref(), &account)?;
    let mut result = ledger.compare(&request_log)?;
    ensure!(
        result.counters.get("answered") == Some(&ledger.lookups()),
        "not every lookup was answered: {result:?}"
    );

    // The backup under load contains every lookup that was answered before it started.
    let loaded_backup = restored(&first, &busy, &dir("under-load"))?;
    let lookups = VerifiedLedger::read(loaded_backup.open()?.as_ref(), &account)?.lookups();
    ensure!(
        lookups >= answered_before,
        "{answered_before} lookups were answered before the backup, which contains {lookups}"
    );
    loaded_backup.verify()?;
    result.count("lookups in the backup under load", lookups);

    // A backup of the stopped server is restored, copied and compared.
    let complete = dir("whole.dump");
    let summary = backup(&first, &complete)?;
    let restored_server = restored(&first, &complete, &dir("restored"))?;
    let sled_server = without_rate_limits(ServerUnderTest::new(
        Backend::Sled,
        dir("on-sled"),
        dir("copy.sled"),
    ));
    copy_pepper(&first, sled_server.data_dir())?;
    ensure_equal(&summary, &copy(&restored_server, &sled_server)?)?;
    let mut server = sled_server.start();
    ensure!(
        ObservableState::collect(&sled_server, &account)? == answers,
        "a copy on sled responds differently"
    );
    stop(&mut server)?;
    // The listing of verdicts was a bulk read, whose audit entry is in this copy.
    let summary = backup(&sled_server, &dir("on-sled.dump"))?;
    let back = ServerUnderTest::new(Backend::Redb, dir("back"), dir("back.redb"));
    ensure_equal(&summary, &copy(&sled_server, &back)?)?;
    back.verify()?;
    result.volume = ledger.lookups();
    result.count("records", summary["rows"].as_u64().unwrap_or_default());
    Ok(result)
}

/// State that a client of a store can observe.
#[derive(PartialEq)]
struct ObservableState {
    usage: Value,
    verdicts: Vec<Value>,
}

impl ObservableState {
    fn collect(deployment: &ServerUnderTest, account: &TestAccount) -> Result<Self> {
        let admin = AdminClient::for_server(deployment)?;
        let usage = admin.read("/admin/v1/usage")?;
        let list = ["--json", "verdict", "list", "--context", &account.context];
        let output = command::run(deployment.data_dir(), &list);
        ensure!(
            output.status.success(),
            "verdicts: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(Self {
            usage,
            verdicts: serde_json::from_slice(&output.stdout)?,
        })
    }
}

fn without_rate_limits(deployment: ServerUnderTest) -> ServerUnderTest {
    deployment.with_setting("VOIGHT__LIMITS__ENABLED", &false)
}

fn stop(server: &mut Server) -> Result<()> {
    let exit = server.stop();
    ensure!(
        exit == Some(0),
        "the server ended with {exit:?}: {}",
        server.log()
    );
    Ok(())
}

/// Looks up and sets verdicts up to the volume, and takes a backup at half of it.
///
/// Returns the number of lookups that were answered before the backup.
fn fill(
    deployment: &ServerUnderTest,
    account: &TestAccount,
    request_log: &RequestLog,
    lookups: u64,
    out: &Path,
) -> Result<u64> {
    let overridden = AtomicU64::new(0);
    let stop = StopFlag::default();
    thread::scope(|scope| {
        let guard = stop.guard();
        for _ in 0..CONNECTIONS {
            scope.spawn(|| {
                let mut client = ApiClient::new(deployment, account);
                while request_log.send_lookup_below(lookups, &mut client) && !stop.is_set() {}
            });
        }
        let operator =
            || override_verdicts(deployment, account, &overridden, lookups / PER_VERDICT);
        let operators: Vec<_> = (0..OPERATORS).map(|_| scope.spawn(operator)).collect();
        while request_log.completed() < lookups / 2 {
            pause(1000);
        }
        let completed_count = request_log.completed();
        backup(deployment, out).context("under load")?;
        for operator in operators {
            operator
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        while request_log.completed() < lookups {
            pause(1000);
        }
        drop(guard);
        Ok(completed_count)
    })
}

fn override_verdicts(
    deployment: &ServerUnderTest,
    account: &TestAccount,
    overridden: &AtomicU64,
    end: u64,
) -> Result<()> {
    let admin = AdminClient::for_server(deployment)?;
    loop {
        let number = overridden.fetch_add(1, Ordering::Relaxed);
        if number >= end {
            return Ok(());
        }
        let path = format!(
            "/admin/v1/contexts/{}/verdicts/{}/override",
            account.context,
            address_of(OVERRIDDEN + number)
        );
        admin
            .post(&path, &json!({"verdict": "bot", "reason": "a test"}))?
            .context("an override got no response")?;
    }
}

/// Returns `{rows, hash}` of a backup: by the server if it runs, otherwise of the files.
fn backup(deployment: &ServerUnderTest, out: &Path) -> Result<Value> {
    store(
        deployment.data_dir(),
        &deployment.url(),
        &["backup", "--out", &out.display().to_string()],
    )
}

/// Restores a backup of this server into another one.
fn restored(from: &ServerUnderTest, dump: &Path, data_dir: &Path) -> Result<ServerUnderTest> {
    let to = ServerUnderTest::new(
        Backend::Redb,
        data_dir.to_owned(),
        data_dir.join("voight.redb"),
    );
    copy_pepper(from, data_dir)?;
    store(
        data_dir,
        &to.url(),
        &["restore", &dump.display().to_string()],
    )?;
    Ok(to)
}

fn copy(from: &ServerUnderTest, to: &ServerUnderTest) -> Result<Value> {
    Ok(store(
        from.data_dir(),
        &from.url(),
        &["copy", "--from", &from.url(), "--to", &to.url()],
    )?["to"]
        .take())
}

fn ensure_equal(expected: &Value, actual: &Value) -> Result<()> {
    for member in ["rows", "hash"] {
        ensure!(
            expected[member] == actual[member],
            "{member}: {}, expected {}",
            actual[member],
            expected[member]
        );
    }
    Ok(())
}

fn copy_pepper(from: &ServerUnderTest, data_dir: &Path) -> Result<()> {
    fs::create_dir_all(data_dir)?;
    fs::copy(from.data_dir().join("pepper"), data_dir.join("pepper"))?;
    Ok(())
}

/// Runs `voight store …` and returns its JSON output.
fn store(data_dir: &Path, url: &str, arguments: &[&str]) -> Result<Value> {
    let mut command = command::voight(data_dir);
    let output = command
        .env("VOIGHT__STORE__URL", url)
        .args(["--json", "store"])
        .args(arguments)
        .output()?;
    ensure!(
        output.status.success(),
        "store {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(serde_json::from_slice(&output.stdout)?)
}
