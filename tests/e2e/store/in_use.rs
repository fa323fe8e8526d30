//! Backups of a store that a server uses.

use crate::cli::rejection::{assert_rejected, tree};
use crate::store::dump::records;
use crate::store::fixture::{StoreFixture, text};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;
use voight_tests::server::{Server, TestAccount};
use voight_tests::{command, http, paths};

const CONNECTIONS: u64 = 8;
/// Number of lookups that are answered before the backup begins.
const INITIAL_LOOKUPS: u64 = 500;
/// Table of ledger rows: the first byte of their keys, which is never reused.
const ROW: u8 = 16;

#[test]
fn backup_under_load_contains_a_prefix_of_the_ledger() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let mut server = Server::start_with(&data_dir, |command| {
        command.env("VOIGHT__LIMITS__ENABLED", "false");
    });
    let account = server.account("acme");
    let early_dump = folder.path().join("early.dump");
    let (before, proof, after) = under_load(&server, &account, || {
        command::json(&data_dir, &["store", "backup", "--out", text(&early_dump)])
    });
    assert_eq!(server.stop(), Some(0), "{}", server.log());
    let late_dump = folder.path().join("late.dump");
    command::json(&data_dir, &["store", "backup", "--out", text(&late_dump)]);

    let rows = rows_of(&early_dump);
    assert!(
        before <= rows.len() as u64,
        "{before} lookups were answered before, {} are in the backup",
        rows.len()
    );
    assert!(
        rows.len() as u64 <= after + CONNECTIONS,
        "{} rows, but {after} answers",
        rows.len()
    );
    assert_eq!(
        rows,
        rows_of(&late_dump)[..rows.len()],
        "the backup is not the beginning of the ledger"
    );
    assert!(
        rows_of(&late_dump).len() > rows.len(),
        "nothing was written during the backup"
    );

    let restored_dir = folder.path().join("restored");
    fs::create_dir(&restored_dir).unwrap();
    fs::copy(data_dir.join("pepper"), restored_dir.join("pepper")).unwrap();
    assert_eq!(
        command::json(&restored_dir, &["store", "restore", text(&early_dump)])["to"]["hash"],
        proof["hash"]
    );
    assert_eq!(
        command::json(&restored_dir, &["store", "verify"])["damaged"],
        0
    );
    assert_eq!(
        command::json(&restored_dir, &["usage"])["clients"][0]["billable"],
        rows.len()
    );
}

/// Runs `work` while lookups are answered on every connection.
///
/// Returns its result, with the number of answered lookups before and after.
fn under_load<T>(
    server: &Server,
    account: &TestAccount,
    work: impl FnOnce() -> T,
) -> (u64, T, u64) {
    struct Stop<'a>(&'a AtomicBool);

    impl Drop for Stop<'_> {
        fn drop(&mut self) {
            self.0.store(true, Ordering::SeqCst);
        }
    }

    let answer_count = AtomicU64::new(0);
    let stop = AtomicBool::new(false);
    let wait_for = |count| {
        while answer_count.load(Ordering::SeqCst) < count {
            thread::sleep(Duration::from_millis(5));
        }
    };
    thread::scope(|scope| {
        // Stops also after a failure here, so that it is reported.
        let _stop = Stop(&stop);
        for _ in 0..CONNECTIONS {
            scope.spawn(|| look_up_until(server, account, &answer_count, &stop));
        }
        wait_for(INITIAL_LOOKUPS);
        let count_before = answer_count.load(Ordering::SeqCst);
        let outcome = work();
        let count_after = answer_count.load(Ordering::SeqCst);
        wait_for(count_after + INITIAL_LOOKUPS);
        (count_before, outcome, count_after)
    })
}

fn look_up_until(
    server: &Server,
    account: &TestAccount,
    answer_count: &AtomicU64,
    stop: &AtomicBool,
) {
    let agent = http::agent();
    while !stop.load(Ordering::SeqCst) {
        let address = answer_count.load(Ordering::SeqCst);
        let url = format!(
            "{}/api/v1/users/eoa?eoa_address=0x{address:040x}&context_id={}",
            server.url(),
            account.context
        );
        let answer =
            http::get(&agent, &url, &[("x-api-key", &account.key)]).expect("the server answers");
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer_count.fetch_add(1, Ordering::SeqCst);
    }
}

/// Returns the ledger rows of a backup in their order; their keys end in consecutive numbers.
fn rows_of(backup: &Path) -> Vec<Vec<u8>> {
    let rows = records(backup).into_iter().filter(|(key, _)| key[0] == ROW);
    let rows = (1_u64..).zip(rows).map(|(number, (key, row))| {
        assert!(
            key.ends_with(&number.to_be_bytes()),
            "row {number} is missing"
        );
        row
    });
    rows.collect()
}

/// Starts a server on the fixture's store.
fn serving() -> (StoreFixture, Server) {
    let stage = StoreFixture::new();
    let server = Server::start(&stage.data());
    (stage, server)
}

#[test]
fn backups_differ_by_their_audit_entries_only() {
    let (stage, mut server) = serving();
    let url = server.admin_url();
    let token = fs::read_to_string(stage.data().join("admin.token")).unwrap();
    let elsewhere = command::voight(&stage.path("elsewhere"))
        .env("VOIGHT_ADMIN_TOKEN", token.trim())
        .args(["--json", "store", "backup", "--server", &url, "--out", "-"])
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&elsewhere.stderr).unwrap();
    let dump = stage.path("sent.dump");
    fs::write(&dump, &elsewhere.stdout).unwrap();
    let verification = command::json(&stage.data(), &["store", "verify", text(&dump)]);
    assert_eq!(
        (&report["file"], &report["hash"]),
        (&"-".into(), &verification["hash"])
    );
    let through = stage.path("through.dump");
    let proof = command::json(&stage.data(), &["store", "backup", "--out", text(&through)]);
    let rows = |backup: &serde_json::Value| backup["rows"].as_u64().unwrap();
    // A backup of a running server is in the audit log twice: as it begins, and after it was sent.
    assert_eq!(rows(&proof), rows(&report) + 2);
    let arguments = ["store", "backup", "memory:", "--server", &url];
    assert_rejected(&command::run(&stage.data(), &arguments), 2, &["--server"]);
    assert_eq!(server.stop(), Some(0), "{}", server.log());
    // The last backup lacks only the entry that it was sent; without a server no entry is written.
    let offline = stage.backup().1;
    assert_eq!(rows(&offline), rows(&proof) + 1);
    let again = stage.path("again.dump");
    let repeat = command::json(&stage.data(), &["store", "backup", "--out", text(&again)]);
    assert_eq!(repeat["hash"], offline["hash"]);
}

#[test]
fn backup_without_a_name_is_named_after_its_store() {
    let (stage, _server) = serving();
    let working_dir = stage.path("here");
    fs::create_dir(&working_dir).unwrap();
    let output = command::voight(&stage.data())
        .current_dir(&working_dir)
        .args(["--json", "store", "backup"])
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let [file, store] = ["file", "identity"].map(|member| report[member].as_str().unwrap());
    let time = file
        .strip_prefix(&format!("voight-{store}-"))
        .and_then(|name| name.strip_suffix(".dump"))
        .unwrap();
    assert!(
        time.len() == "20261121T100000Z".len() && time.ends_with('Z'),
        "{file}"
    );
    assert_eq!(
        tree(&working_dir).into_keys().collect::<Vec<_>>(),
        [working_dir.join(file)]
    );
}

#[test]
fn backup_to_a_terminal_is_rejected() {
    let stage = StoreFixture::new();
    let command = format!(
        "'{}' --data-dir '{}' store backup --out -",
        paths::binary().display(),
        text(&stage.data())
    );
    let mut script = Command::new("script");
    let output = command::remove_variables(&mut script)
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .stdin(Stdio::null())
        .output()
        .expect("`script` of Debian's package bsdutils starts");
    let message = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("terminal") && message.contains("--out"),
        "{message}"
    );
}

#[test]
fn store_in_memory_has_no_backup() {
    let folder: TempDir = tempfile::tempdir().unwrap();
    let server = Server::start_with(&folder.path().join("data"), |command| {
        command.args(["--store", "memory:"]);
    });
    let out = folder.path().join("memory.dump");
    let backup = ["store", "backup", "--out", text(&out)];
    assert_rejected(&command::run(server.data_dir(), &backup), 1, &["memory"]);
    assert!(!out.exists());
}
