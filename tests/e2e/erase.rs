//! Erasure of an address with the real binary: data removed from the files, responses afterwards, rejected requests.

pub(crate) mod check;
mod reidentification;

use crate::cli::rejection::{assert_rejected, tree};
use check::ScriptedCheck;
use reidentification::{counts, files_with, is_confirmed, spellings};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use voight_tests::command::installation;
use voight_tests::engines::ENGINES;
use voight_tests::server::{Server, TestAccount};
use voight_tests::{command, http};

/// Address that is to be erased.
const ADDRESS: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const REASON: &str = "asked by mail";

// Tables of a backup.
const VERDICTS: u8 = 11;
const EVENTS: u8 = 12;
const ROWS: u8 = 16;
const OPENINGS: u8 = 17;
const IDEMPOTENCY_RECORDS: u8 = 18;
const TOMBSTONES: u8 = 22;
const BATCHES: u8 = 33;

/// Passes a check as a browser that declares automation, so that the context flags the address.
fn pass(server: &Server, context: &str) {
    let check = ScriptedCheck::open(server, context, ADDRESS);
    let mut first = check.first_batch();
    first["env"] = json!({"webdriver": {"value": true, "own": false, "inPrototype": true}});
    check.run(server, &first);
    let answer = check.complete(server);
    assert_eq!(answer.status, 200, "{}", answer.body);
}

struct EraseFixture {
    folder: TempDir,
    engine: &'static str,
    account: TestAccount,
    elsewhere: TestAccount,
}

impl EraseFixture {
    /// Creates an offline installation with all kinds of records of the address.
    fn new(engine: &'static str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut server = start(&folder.path().join("data"), engine);
        let account = server.account("acme");
        let elsewhere = server.key_and_context("acme", &[]);
        let sandbox = server.key_and_context("acme", &["--test"]);
        for number in 1..=20 {
            assert_eq!(
                server.look_up(&account, &format!("0x{number:040x}")).status,
                200
            );
        }
        pass(&server, &account.context);
        for _ in 0..3 {
            assert_eq!(server.look_up(&account, ADDRESS).status, 200);
            assert_eq!(
                server.look_up(&sandbox, &ADDRESS.to_lowercase()).status,
                200
            );
        }
        assert_eq!(look_up_once(&server, &elsewhere).status, 200);
        let flag = [
            "verdict",
            "override",
            "--context",
            &elsewhere.context,
            ADDRESS,
            "--to",
            "bot",
            "--reason",
            "seen",
        ];
        command::json(server.data_dir(), &flag);
        assert_eq!(server.stop(), Some(0), "{}", server.log());
        Self {
            folder,
            engine,
            account,
            elsewhere,
        }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn backup(&self, name: &str) -> PathBuf {
        let file = self.folder.path().join(name);
        command::json(
            &self.data(),
            &[
                "store",
                "backup",
                "--out",
                file.to_str().expect("a path in UTF-8"),
            ],
        );
        file
    }

    /// Returns the responses to the platforms' lookups of the address.
    fn answers(&self) -> [Value; 2] {
        let server = start(&self.data(), self.engine);
        [&self.account, &self.elsewhere]
            .map(|account| server.look_up(account, ADDRESS).json()["data"].take())
    }

    fn erase(&self, more: &[&str]) -> Value {
        command::json(
            &self.data(),
            &[
                &["erase", "--yes", "--address", ADDRESS, "--reason", REASON],
                more,
            ]
            .concat(),
        )
    }
}

fn start(data_dir: &Path, engine: &str) -> Server {
    let url = format!("{engine}:{}", data_dir.join("store").display());
    Server::start_with(data_dir, |command| {
        command.env("VOIGHT__STORE__URL", url);
    })
}

/// Looks up the address with an idempotency key.
fn look_up_once(server: &Server, account: &TestAccount) -> http::Response {
    let url = format!(
        "{}/api/v1/users/eoa?eoa_address={ADDRESS}&context_id={}",
        server.url(),
        account.context
    );
    let headers = [
        ("x-api-key", account.key.as_str()),
        ("idempotency-key", "once"),
    ];
    http::get(&http::agent(), &url, &headers).expect("the server answers")
}

/// Erases the address, after a dry run that returns the same counts.
fn assert_dry_run_counts_what_is_erased(stage: &EraseFixture) {
    let dry_run = stage.erase(&["--dry-run"]);
    let erasure = stage.erase(&[]);
    assert_eq!(
        (&dry_run["erased"], &dry_run["tombstones"]),
        (&erasure["erased"], &erasure["tombstones"])
    );
    assert_eq!(
        erasure["tombstones"].as_array().map(Vec::len),
        Some(2),
        "{erasure}"
    );
}

/// Asserts that the erasure leaves the rows of the ledger, tombstones, and the data of the other addresses.
fn assert_remaining_records(backup_before: &Path, backup_after: &Path) {
    let remaining = |table: u8| counts(backup_after).get(&table).copied().unwrap_or(0);
    assert_eq!(
        [
            VERDICTS,
            EVENTS,
            OPENINGS,
            IDEMPOTENCY_RECORDS,
            TOMBSTONES,
            BATCHES
        ]
        .map(remaining),
        [0, 0, 20, 0, 2, 0]
    );
    assert_eq!(remaining(ROWS), counts(backup_before)[&ROWS]);
}

fn assert_erased_from_files(engine: &'static str) {
    let stage = EraseFixture::new(engine);
    let answers = stage.answers();
    assert_eq!(
        answers.each_ref().map(|answer| &answer["isBot"]),
        [true, true],
        "{answers:?}"
    );
    let backup_before = stage.backup("before.dump");
    let spellings = spellings(ADDRESS);
    let usage = command::json(&stage.data(), &["usage"]);
    assert!(
        !files_with(&stage.data(), &spellings, "pepper").is_empty(),
        "the search finds nothing where there is something"
    );
    assert!(
        is_confirmed(&backup_before, ADDRESS, &stage.account.context),
        "the attack fails where it should succeed"
    );

    assert_dry_run_counts_what_is_erased(&stage);
    let report = command::json(&stage.data(), &["store", "compact"]);
    assert!(report["bytes_after"].as_u64() > Some(0), "{report}");

    assert_eq!(
        files_with(&stage.data(), &spellings, "pepper"),
        Vec::<PathBuf>::new()
    );
    let backup_after = stage.backup("after.dump");
    for context in [&stage.account.context, &stage.elsewhere.context] {
        assert!(
            !is_confirmed(&backup_after, ADDRESS, context),
            "the store confirms a guess"
        );
    }
    assert_remaining_records(&backup_before, &backup_after);
    assert_eq!(
        command::json(&stage.data(), &["store", "verify"])["damaged"],
        0
    );
    assert_eq!(command::json(&stage.data(), &["usage"]), usage);

    assert_eq!(
        stage.answers(),
        answers,
        "the flag has not outlived the erase"
    );
    let second_run = stage.erase(&["--dry-run"]);
    assert_eq!(
        (
            &second_run["erased"]["ledger_addresses"],
            &second_run["erased"]["verdicts"]
        ),
        (&Value::from(2), &Value::from(0))
    );
}

#[test]
fn files_contain_no_bytes_of_an_erased_address() {
    for engine in &ENGINES {
        assert_erased_from_files(engine.scheme);
    }
}

#[test]
fn erasure_reports_copies_out_of_reach() {
    let (_folder, data_dir) = installation();
    fs::write(data_dir.join("voight-old.dump"), "a backup").expect("a file");
    let erase = ["erase", "--yes", "--address", ADDRESS, "--reason", REASON];
    let dry = command::run(&data_dir, &[&erase[..], &["--dry-run"]].concat());
    let message = String::from_utf8_lossy(&dry.stderr);
    assert!(
        message.contains("Nothing was changed") && !message.contains("Backups"),
        "{message}"
    );
    let output = command::run(&data_dir, &erase);
    assert_eq!(
        output.status.code(),
        Some(0),
        "an address of which nothing is known is erased already"
    );
    let stdout = String::from_utf8_lossy(&output.stdout);
    let message = String::from_utf8_lossy(&output.stderr);
    for part in [
        "DELETED",
        "verdicts",
        "addresses of ledger rows",
        "audit log",
    ] {
        assert!(stdout.contains(part), "{part} is not in {stdout}");
    }
    for part in [
        "No data is stored",
        "store compact",
        "Backups",
        "voight-old.dump",
    ] {
        assert!(message.contains(part), "{part} is not in {message}");
    }
}

#[test]
fn invalid_erasure_is_rejected_without_changes() {
    let (_folder, data_dir) = installation();
    let tree_before = tree(&data_dir);
    let erase = |address: &str, reason: &str| {
        command::run(
            &data_dir,
            &["erase", "--yes", "--address", address, "--reason", reason],
        )
    };
    assert_rejected(&erase(ADDRESS, " "), 2, &["needs a reason"]);
    assert_rejected(
        &erase(ADDRESS, &format!("of {ADDRESS}")),
        2,
        &["omit the address"],
    );
    let without = |arguments: &[&str]| command::run(&data_dir, &[&["erase"], arguments].concat());
    for (output, word) in [
        (erase("0x12", REASON), "40 hexadecimal digits"),
        (erase("vitalik.eth", REASON), "40 hexadecimal digits"),
        (erase(&ADDRESS.replace("5aA", "5Aa"), REASON), "EIP-55"),
        (without(&["--address", ADDRESS]), "--reason"),
        (without(&["--reason", REASON]), "--address"),
    ] {
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(
            (output.status.code(), output.stdout.len()),
            (Some(2), 0),
            "{message}"
        );
        assert!(message.contains(word), "{word} is not in {message}");
    }
    assert!(tree(&data_dir).keys().eq(tree_before.keys()));
}
