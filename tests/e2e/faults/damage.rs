//! Records that are corrupted while the server runs: never served, reported by name, and the server stops.

use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;
use tempfile::TempDir;
use voight_tests::engines::ENGINES;
use voight_tests::server::{Server, TestAccount};
use voight_tests::{command, http, ports};

/// Timeout for the detection of damage: a lookup detects it at once, the scrubber after a pass.
const START_TIMEOUT: Duration = Duration::from_secs(30);
const FLAGGED: &str = "0x5ca1ab1e00c0ffee5ca1ab1e00c0ffee5ca1ab1e";
/// Size of a page: a value follows its key in the same page.
const PAGE: usize = 4096;
/// Step of the search, shorter than any record that is damaged here.
const STEP: usize = 23;

/// Offline installation with verdicts and lookups.
struct DamageFixture {
    folder: TempDir,
    account: TestAccount,
}

/// Record that was corrupted.
struct DamagedRecord {
    table: &'static str,
    key_digest: String,
}

impl DamageFixture {
    fn new(scheme: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data_dir = folder.path().join("data");
        let url = format!("{scheme}:{}", data_dir.join("store").display());
        let mut server = Server::start_with(&data_dir, |command| {
            command.env("VOIGHT__STORE__URL", url);
        });
        let account = server.account("acme");
        for number in 1..=LOOKUPS {
            assert_eq!(
                server.look_up(&account, &format!("0x{number:040x}")).status,
                200
            );
        }
        let context = &account.context;
        let arguments = [
            "verdict",
            "override",
            "--context",
            context,
            FLAGGED,
            "--to",
            "bot",
            "--reason",
            "seen",
        ];
        command::json(&data_dir, &arguments);
        assert_eq!(server.stop(), Some(0), "{}", server.log());
        Self { folder, account }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Starts a server that scrubs at most `scrub` records per second; it may end at any time.
    fn server(&self, scrub: u32) -> Server {
        Server::spawn_on(&self.data(), ports::free(), ports::free(), |command| {
            command.env("VOIGHT__STORE__SCRUB_RECORDS_PER_SECOND", scrub.to_string());
        })
    }

    /// Flips a bit behind a key in redb's file, so that the value of a record of this table is corrupt.
    ///
    /// Only the records that lead to it are affected as well. The position of the value in the page is found by trial; every
    /// copy of
    /// the page is changed, because unused copies do no harm.
    /// `records` is the maximum number of records that the value holds.
    fn damage(&self, table: &'static str, key: &[u8], records: u64) -> DamagedRecord {
        let file = self.data().join("store");
        let original_bytes = fs::read(&file).expect("the store");
        let keys: Vec<_> = offsets_of(&original_bytes, key).collect();
        let key_digest = blake3::hash(key).to_hex()[..16].to_owned();
        for distance in (0..PAGE).step_by(STEP) {
            let mut bytes = original_bytes.clone();
            for place in keys
                .iter()
                .map(|place| place + distance)
                .filter(|place| *place < original_bytes.len())
            {
                bytes[place] ^= 0x10;
            }
            fs::write(&file, &bytes).expect("the store can be written");
            let output = command::run(&self.data(), &["--json", "store", "verify"]);
            let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
            let damage = report["damage"].as_array().into_iter().flatten();
            let mut wrong_checksums =
                damage.filter(|place| place["what"] == "the checksum is wrong");
            let is_first = wrong_checksums
                .next()
                .is_some_and(|place| place["table"] == table && place["key_digest"] == *key_digest);
            // Records that refer to it and the page are damaged as well, and so are the other records of a block.
            if is_first
                && wrong_checksums.next().is_none()
                && report["damaged"].as_u64() <= Some(records + 4)
            {
                return DamagedRecord { table, key_digest };
            }
        }
        panic!("no record of the table {table} could be damaged");
    }

    fn assert_named(&self, server: &Server, damaged_record: &DamagedRecord) {
        let last = server.last_line();
        let record = format!(
            "table {}, key digest {}",
            damaged_record.table, damaged_record.key_digest
        );
        let store = self.data().join("store");
        for word in [
            "has stopped",
            store.to_str().expect("a path in UTF-8"),
            &record,
            "restore a backup",
        ] {
            assert!(
                last.contains(word),
                "{word} is not in the last line: {last}"
            );
        }
    }
}

/// Returns the offsets at which `wanted` begins.
fn offsets_of(bytes: &[u8], wanted: &[u8]) -> impl Iterator<Item = usize> {
    bytes
        .windows(wanted.len())
        .enumerate()
        .filter(move |(_, found)| *found == wanted)
        .map(|(place, _)| place)
}

fn flagged() -> Vec<u8> {
    (2..FLAGGED.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&FLAGGED[at..at + 2], 16).expect("a digit"))
        .collect()
}

/// Returns the key of the verdict on that address in the first context of the first client, in format 1.
fn verdict() -> Vec<u8> {
    [&[0x0b, 0, 0, 0, 1, 0, 0, 0, 1], &flagged()[..]].concat()
}

/// Number of lookups. Their rows are in more than one block, since the last one is read when a server starts.
const LOOKUPS: u64 = 120;
/// Maximum number of rows in a block.
const ROWS_IN_BLOCK: u64 = 90;
/// Key of the first row of the first client's live ledger in format 1, which is the key of its block.
const FIRST_ROW: [u8; 14] = [0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1];

#[test]
fn damaged_verdict_is_never_served() {
    let stage = DamageFixture::new("redb");
    let damage = stage.damage("verdict", &verdict(), 1);
    let mut server = stage.server(0);
    server.wait_until_ready();
    let answer = server.look_up(&stage.account, FLAGGED);
    assert!(
        answer.status >= 500 && !answer.body.contains("isBot"),
        "{answer:?}"
    );
    assert_eq!(server.ended(START_TIMEOUT), Some(1), "{}", server.log());
    stage.assert_named(&server, &damage);
}

#[test]
fn damaged_ledger_row_stops_the_server() {
    let stage = DamageFixture::new("redb");
    let damage = stage.damage("ledger row", &FIRST_ROW, ROWS_IN_BLOCK);
    let mut server = stage.server(1000);
    assert_eq!(server.ended(START_TIMEOUT), Some(1), "{}", server.log());
    stage.assert_named(&server, &damage);
    let info = command::json(&stage.data(), &["store", "info"]);
    assert!(info["last_scrub"]["damaged"].as_u64() > Some(0), "{info}");
}

#[test]
fn audit_verify_names_the_ledger_of_a_damaged_row() {
    let stage = DamageFixture::new("redb");
    stage.damage("ledger row", &FIRST_ROW, ROWS_IN_BLOCK);
    let output = command::run(&stage.data(), &["audit", "verify"]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(
        (output.status.code(), output.stdout.len()),
        (Some(1), 0),
        "{message}"
    );
    assert!(
        message.contains("the live ledger of acme cannot be read"),
        "{message}"
    );
}

/// sled has its own checksums, and a page that fails them invalidates all its records.
#[test]
fn damaged_sled_page_stops_the_server() {
    let stage = DamageFixture::new("sled");
    // Damage in data written since the log was last opened looks like a torn write; opening the store indexes that data.
    command::json(&stage.data(), &["usage"]);
    let file = stage.data().join("store").join("db");
    let address = flagged();
    let log_bytes = fs::read(&file).expect("the log");
    let mut bytes = log_bytes.clone();
    // Adjacent keys share a prefix, which sled stores once.
    for place in offsets_of(&log_bytes, &address[8..]) {
        bytes[place + 12] ^= 0x10;
    }
    assert_ne!(bytes, log_bytes, "the address is not in the log");
    fs::write(&file, &bytes).unwrap();
    let mut server = stage.server(1000);
    assert_eq!(server.ended(START_TIMEOUT), Some(1), "{}", server.log());
    assert!(
        ["damaged", "corrupt"]
            .iter()
            .any(|word| server.last_line().contains(word)),
        "{}",
        server.last_line()
    );
}

#[test]
fn intact_store_passes_the_scrub() {
    for engine in &ENGINES {
        let stage = DamageFixture::new(engine.scheme);
        let mut server = stage.server(10_000);
        server.wait_until_ready();
        let metrics = || {
            http::get(
                &http::agent(),
                &format!("{}/metrics", server.admin_url()),
                &[],
            )
            .unwrap()
            .body
        };
        for _ in 0..200 {
            if metrics().contains("\nvoight_store_scrub_passes_total 1\n") {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        let metric_lines = metrics();
        for line in [
            "scrub_passes_total 1",
            "scrub_corrupt_records_total 0",
            "health{state=\"ready\"} 1",
        ] {
            assert!(
                metric_lines.contains(&format!("\nvoight_store_{line}\n")),
                "{line} is not in\n{metric_lines}"
            );
        }
        let info_of_server = command::json(&stage.data(), &["store", "info"]);
        assert_eq!(server.stop(), Some(0), "{}", server.log());
        let info_of_files = command::json(&stage.data(), &["store", "info"]);
        for member in [
            "store",
            "engine",
            "identity",
            "format",
            "rows",
            "tables",
            "last_scrub",
        ] {
            assert_eq!(info_of_server[member], info_of_files[member], "{member}");
        }
        assert!(
            info_of_server["free_bytes"].as_u64() > Some(0)
                && info_of_files["files_written_at"].is_string()
        );
        assert_eq!(
            (&info_of_server["health"], &info_of_files["health"]),
            (&Value::from("ready"), &Value::Null)
        );
    }
}
