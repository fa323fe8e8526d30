//! Generated requests compared with the OpenAPI document: each response is one that the document describes.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use voight_tests::server::{Server, TestAccount};
use voight_tests::skip::skipped;
use voight_tests::test_name;
use voight_tests::{command, paths, tier};

const ADDRESSES: [&str; 3] = [
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0x0000000000000000000000000000000000000000",
    "0xde709f2102306220921060314715629080e2fb77",
];

#[test]
fn generated_requests_get_documented_responses() {
    let program = paths::tools().join("python/bin/schemathesis");
    if !program.is_file() {
        let reason = format!(
            "{} is missing; `cargo xtask test --only setup` installs it",
            program.display()
        );
        return skipped(test_name!(), &reason);
    }
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start_with(&folder.path().join("data"), |command| {
        // Thousands of requests, many of them without a valid key.
        command.env("VOIGHT__LIMITS__ENABLED", "false");
    });
    let account = server.account("acme");
    let examples_dir = saved_examples_dir();
    let log = examples_dir.join("output.txt");
    let status = run(&program, &server, &account, &examples_dir, &log);
    let output = fs::read_to_string(&log).unwrap();
    assert!(status, "{output}\n(kept in {})", examples_dir.display());

    // A run without any success would prove nothing.
    let enough = examples() / 5;
    let usage = &command::json(server.data_dir(), &["usage"])["clients"][0];
    let contexts = command::json(server.data_dir(), &["context", "list"]);
    assert!(
        usage["billable"].as_u64().unwrap() >= enough as u64,
        "hardly a lookup was answered: {usage}"
    );
    assert!(
        contexts.as_array().unwrap().len() >= enough,
        "hardly a context was registered"
    );
    assert!(!server.log().contains("panicked"), "{}", server.log());
}

/// Returns the number of generated requests per operation.
fn examples() -> usize {
    tier::volume(50, 400)
}

fn run(program: &Path, server: &Server, account: &TestAccount, kept: &Path, log: &Path) -> bool {
    let file = kept.join("schemathesis.toml");
    fs::write(&file, configuration(account)).expect("the configuration is written");
    let output = File::create(log).expect("a file for the output");
    let mut command = Command::new(program);
    command
        .arg("--config-file")
        .arg(&file)
        .arg("run")
        .arg(format!("{}/openapi.json", server.url()));
    command.args([
        "--checks",
        "all",
        "--max-examples",
        &examples().to_string(),
        "--continue-on-failure",
        "--no-color",
    ]);
    command.args([
        "--header",
        &format!("x-api-key: {}", account.key),
        "--generation-database",
        "none",
    ]);
    command
        .args(["--report", "junit,har", "--report-dir"])
        .arg(kept);
    command
        .current_dir(kept)
        .stdout(output.try_clone().expect("a second handle"))
        .stderr(output);
    command.status().expect("schemathesis starts").success()
}

/// Returns values that no generator would find: half of the requests name a context of this key, and succeed.
///
/// A valid request may be rejected only for conditions that the document cannot express: an unknown context (401), an
/// `Idempotency-Key` in use (409) or used for another request (422), an invalid or reversed date range (400), an unknown
/// type of events (400), deleted events (410), an unknown invoice, snapshot or webhook endpoint (404), an address in mixed
/// case without a valid checksum (400), lines without an address (400), the state of a snapshot (409), a URL that is not
/// permitted (400), and disabled outbound connections (409).
fn configuration(account: &TestAccount) -> String {
    let context = &account.context;
    format!(
        r#"[dictionaries.contexts]
values = [{context:?}]

[dictionaries.addresses]
values = {ADDRESSES:?}

[dictionaries.begins]
values = ["2026-01-01"]

[dictionaries.ends]
values = ["2026-02-01", "2026-11-21T10:00:00.5Z"]

[parameters]
"query.context_id" = {{ dictionary = "contexts", probability = 0.5 }}
"path.context_id" = {{ dictionary = "contexts", probability = 0.5 }}
"body.context_id" = {{ dictionary = "contexts", probability = 0.5 }}
"query.eoa_address" = {{ dictionary = "addresses", probability = 0.9 }}
"body.eoa_address" = {{ dictionary = "addresses", probability = 0.9 }}
"query.from" = {{ dictionary = "begins", probability = 0.8 }}
"query.to" = {{ dictionary = "ends", probability = 0.8 }}

[checks.positive_data_acceptance]
expected-statuses = ["2xx", 401, 409, 422]

# A request that is wrong may be too large besides.
[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 413, 414, 415, 422, 428, 429, "5xx"]

[[operations]]
include-path-regex = "^/api/v1/(users|sessions)"

[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", 400, 401, 409, 422]

[[operations]]
include-path-regex = "^/api/v1/usage"

[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", 400]

# A request without `wait` is answered at once.
[[operations]]
include-path-regex = "^/api/v1/events"
parameters = {{ "query.wait" = 0 }}

[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", 400, 410]

# Outbound connections are disabled, so no endpoint exists.
[[operations]]
include-path-regex = "^/api/v1/webhooks"

[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", 400, 404, 409]

[[operations]]
include-path-regex = "^/api/v1/invoices/"

[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", 404]

[[operations]]
include-path-regex = "^/api/v1/snapshots/"

[operations.checks.positive_data_acceptance]
expected-statuses = ["2xx", 400, 404, 409]
"#
    )
}

/// Returns the output directory `target/schemathesis`, emptied of earlier output.
fn saved_examples_dir() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .parent()
        .expect("the temporary folder lies in target");
    let folder = target.join("schemathesis");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the output");
    folder
}
