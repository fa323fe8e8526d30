//! Snapshots on the real binary: the guide, and jobs whose server is killed.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;
use voight_tests::server::{Server, TestAccount};
use voight_tests::{command, guide, http, paths, tier};

const GUIDE: &str = include_str!("../../docs/guides/reward-a-quest.md");

#[test]
fn guide_pays_humans_on_a_local_chain() {
    let modules = paths::tools().join("reward-claim/node_modules");
    assert!(
        modules.is_dir(),
        "{} is missing; `cargo xtask test --only setup` installs it",
        modules.display()
    );
    let names = guide::names(GUIDE);
    assert_eq!(
        names,
        [
            "list", "quote", "dry-run", "take", "finalize", "merkle", "claim"
        ]
    );
    assert_eq!(
        GUIDE.matches("\n```").count(),
        2 * names.len(),
        "a block of the guide is not executed"
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("voight-data");
    let server = Server::start(&data_dir);
    command::json(&data_dir, &["client", "create", "acme"]);
    let account = server.key_and_context("acme", &["--test"]);
    let script: Vec<_> = names.iter().map(|name| guide::block(GUIDE, name)).collect();
    // The packages are installed by the set-up of the tests, and the port is that of the server under test.
    let script = script
        .join("\n")
        .replace("npm ci --ignore-scripts", "true")
        .replace("http://127.0.0.1:8080", &server.url());
    copy_example(folder.path(), &modules);
    let mut shell = guide::shell(&script);
    shell
        .current_dir(folder.path())
        .env("VOIGHT_API_KEY", &account.key)
        .env("CONTEXT", &account.context);
    shell.env(
        "VOIGHT__SERVER__LISTEN",
        server.url().trim_start_matches("http://"),
    );
    let output = shell.output().expect("bash starts");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}\n{errors}");
    for expected in [
        "sum in base units",
        "4000000000000000000",
        "\"units\":4",
        "0x2222222222222222222222222222222222222222,bot,true,0.98",
        "final",
        "address,amount\r\n0x1111111111111111111111111111111111111111,1.5\r\n",
        "paid 1500000000000000000 to 0x1111111111111111111111111111111111111111",
        "1 rewards paid, 1500000000000000000 in all",
    ] {
        assert!(text.contains(expected), "{expected} is missing in {text}");
    }
}

fn copy_example(folder: &Path, modules: &Path) {
    let from = paths::repository().join("examples/reward-claim");
    let to = folder.join("examples/reward-claim");
    std::fs::create_dir_all(&to).expect("a folder for the example");
    for name in ["claim.mjs", "package.json", "RewardClaim.sol"] {
        std::fs::copy(from.join(name), to.join(name)).expect("a copy of the example");
    }
    std::os::unix::fs::symlink(modules, to.join("node_modules")).expect("a link to the packages");
}

#[test]
fn helper_for_backends_takes_a_snapshot_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let server = Server::start(&data_dir);
    let account = server.account("acme");
    let helper = paths::repository().join("crates/browser/dist/sdk/v1/server.js");
    let program = format!(
        "import {{ takeSnapshot }} from {helper:?};
        const options = {{ baseUrl: {:?}, apiKey: {:?}, contextId: {:?}, idempotencyKey: 'payout-1', amount: 5n, include: ['unknown'] }};
        const addresses = 'address\\n0x52908400098527886e0f7030069857d2e4169ee7\\n0xde709f2102306220921060314715629080e2fb77\\n';
        const [first, again] = [await takeSnapshot({{ ...options, addresses }}), await takeSnapshot({{ ...options, addresses }})];
        console.log(first.state, first.units, first.id === again.id);
        const wrong = await takeSnapshot({{ ...options, contextId: 'nonsense', idempotencyKey: 'payout-2' }}).catch((error) => error);
        console.log(wrong.name, wrong.code);
        const missing = await takeSnapshot({{ ...options, idempotencyKey: undefined }}).catch((error) => error);
        console.log(missing.code);",
        server.url(),
        account.key,
        account.context,
    );
    let output = Command::new("node")
        .args(["--input-type=module", "--eval", &program])
        .output()
        .expect("Node.js");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        text,
        "draft 2 true\nVerdictError unauthorized\ninvalid_argument\n",
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let usage = command::json(&data_dir, &["usage", "--client", "acme"]);
    assert_eq!(usage["clients"][0]["billable"], 2, "{usage}");
}

/// Arguments of `voight snapshot` that are rejected, with the exit code and a part of the error.
///
/// Words in upper case are replaced by the values of the test.
const REJECTED_SNAPSHOTS: [(&str, i32, &str); 12] = [
    (
        "take --context CONTEXT --addresses BAD --api URL",
        2,
        "Line 2: ",
    ),
    (
        "take --context CONTEXT --addresses BAD --dry-run --api URL",
        2,
        "2 hexadecimal digits",
    ),
    (
        "take --context CONTEXT --addresses CONTRACTS --api URL",
        2,
        "--address-column",
    ),
    (
        "take --context CONTEXT --seen --unit base --api URL",
        2,
        "--seen",
    ),
    (
        "take --context CONTEXT --seen --dry-run --api URL",
        2,
        "--seen",
    ),
    (
        "take --context CONTEXT --addresses UNKNOWN --api URL",
        2,
        "has no known extension",
    ),
    ("take --context CONTEXT --api URL", 2, "--addresses"),
    ("take --context nonsense --seen --api URL", 3, "context_id"),
    ("show nonsense --api URL", 4, "there is no such snapshot"),
    ("list --api https://voight.example", 2, "needs TLS"),
    (
        "list --key-file /nonexistent --api URL",
        2,
        "cannot be read",
    ),
    (
        "list --api http://127.0.0.1:1",
        5,
        "no answer from the public listener",
    ),
];

#[test]
fn bad_input_is_reported_and_leaves_no_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let server = Server::start(&data_dir);
    let account = server.account("acme");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let bad = file("bad.csv", "address\n0x12\n");
    let unknown = file("addresses.txt", "0x12");
    let contracts = file("contracts.csv", "contract,holder,amount\n0x1,0x2,5\n");
    let url = server.url();
    let snapshot = |arguments: &[&str]| {
        let mut command = command::voight(&data_dir);
        command
            .arg("snapshot")
            .args(arguments)
            .env("VOIGHT_API_KEY", &account.key)
            .output()
            .expect("the command")
    };
    let values = [
        ("CONTEXT", account.context.as_str()),
        ("BAD", &bad),
        ("CONTRACTS", &contracts),
        ("UNKNOWN", &unknown),
        ("URL", &url),
    ];
    for (line, code, expected) in REJECTED_SNAPSHOTS {
        let arguments: Vec<_> = line
            .split(' ')
            .map(|word| {
                let value = values.iter().find(|(name, _)| *name == word);
                value.map_or(word, |(_, value)| *value)
            })
            .collect();
        let output = snapshot(&arguments);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{line}: {message}");
        assert!(message.contains(expected), "{line}: {message}");
    }
    let list_output = snapshot(&["list", "--api", &url, "--json"]);
    assert_eq!(
        String::from_utf8_lossy(&list_output.stdout).trim(),
        "[]",
        "a rejected upload leaves a snapshot"
    );
}

/// Number of addresses of a job that is killed.
const ADDRESSES: u32 = 6_000;

#[test]
fn killed_job_bills_each_address_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::start(&data_dir);
    let account = server.account("acme");
    let lines: Vec<_> = (0..ADDRESSES)
        .map(|number| format!("0x{number:040x},{number}"))
        .collect();
    let lines = format!("address,amount_wei\n{}", lines.join("\n"));
    let mut kills = 0;
    let moments = tier::volume(6, 100);
    let mut snapshots = 0;
    while kills < moments {
        let path = create(&server, &account);
        upload(&server, &account, &path, &lines);
        snapshots += 1;
        while kills < moments && state(&server, &account, &path) == "running" {
            sleep(Duration::from_micros(fastrand::u64(0..60_000)));
            server.kill();
            kills += 1;
            server = Server::start(&data_dir);
        }
        wait_for_draft(&server, &account, &path);
        assert_billed_once(&server, &account, &path, snapshots);
    }
    assert_eq!(server.stop(), Some(0), "{}", server.log());
    let verify_output = command::run(&data_dir, &["store", "verify"]);
    assert!(
        verify_output.status.success(),
        "{}",
        String::from_utf8_lossy(&verify_output.stdout)
    );
    let audit_output = command::run(&data_dir, &["audit", "verify"]);
    assert!(
        audit_output.status.success(),
        "{}",
        String::from_utf8_lossy(&audit_output.stdout)
    );
}

/// Asserts that the rows of the file are all addresses, and that the ledger has one row for each of them.
fn assert_billed_once(server: &Server, account: &TestAccount, path: &str, snapshots: u64) {
    let file = get(server, account, &format!("{path}/file?format=csv")).body;
    let addresses: BTreeSet<_> = file
        .lines()
        .skip(1)
        .filter_map(|line| line.split(',').next())
        .collect();
    assert_eq!(
        (addresses.len(), file.lines().count()),
        (ADDRESSES as usize, ADDRESSES as usize + 1)
    );
    let snapshot = get(server, account, path).json();
    assert_eq!(snapshot["data"]["units"], ADDRESSES);
    let usage = command::json(server.data_dir(), &["usage", "--client", "acme"]);
    assert_eq!(
        usage["clients"][0]["billable"],
        snapshots * u64::from(ADDRESSES),
        "{usage}"
    );
}

fn headers<'a>(account: &'a TestAccount, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    [&[("x-api-key", account.key.as_str())], more].concat()
}

fn create(server: &Server, account: &TestAccount) -> String {
    let body = serde_json::json!({"context_id": account.context, "source": "upload"}).to_string();
    let url = format!("{}/api/v1/snapshots", server.url());
    let answer = http::post(
        &http::agent(),
        &url,
        &headers(account, &[("content-type", "application/json")]),
        body.as_bytes(),
    );
    let answer = answer.expect("the service");
    assert_eq!(answer.status, 200, "{}", answer.body);
    format!(
        "/api/v1/snapshots/{}",
        answer.json()["data"]["id"].as_str().expect("an id")
    )
}

fn upload(server: &Server, account: &TestAccount, path: &str, lines: &str) {
    let request = http::agent()
        .put(format!("{}{path}/addresses", server.url()))
        .header("x-api-key", &account.key);
    let answer = request
        .header("content-type", "text/csv")
        .send(lines)
        .expect("the service");
    assert_eq!(answer.status(), 200);
}

fn get(server: &Server, account: &TestAccount, path: &str) -> http::Response {
    http::get(
        &http::agent(),
        &format!("{}{path}", server.url()),
        &headers(account, &[]),
    )
    .expect("the service")
}

fn state(server: &Server, account: &TestAccount, path: &str) -> String {
    get(server, account, path).json()["data"]["state"]
        .as_str()
        .expect("a state")
        .to_owned()
}

fn wait_for_draft(server: &Server, account: &TestAccount, path: &str) {
    for _ in 0..3_000 {
        if state(server, account, path) == "draft" {
            return;
        }
        sleep(Duration::from_millis(20));
    }
    panic!("the job does not continue after a kill");
}
