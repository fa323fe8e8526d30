//! Commands in a directory without a store: only `serve`, `demo`, `store init` and `store restore` create one.

use crate::cli::rejection::{assert_rejected, tree};
use voight_tests::command;

const CONTEXT: &str = "spring.01k0ab3cdefghjkmnpqrstvwxy";
const ID: &str = "01k0ab3cdefghjkmnpqrstvwxy";
const WHO: &str = "0x1111111111111111111111111111111111111111";

/// Commands with valid arguments that need a store.
const COMMANDS: [&[&str]; 40] = [
    &["client", "create", "acme"],
    &["client", "list"],
    &["client", "show", "acme"],
    &["client", "suspend", "acme"],
    &["client", "cap", "acme", "5"],
    &["client", "close", "acme", "--yes"],
    &["key", "create", "--client", "acme"],
    &["key", "list", "--client", "acme"],
    &["key", "rotate", ID],
    &["key", "revoke", ID],
    &["user", "invite", "Ada", "--role", "owner"],
    &["user", "list"],
    &["signing-key", "list"],
    &["signing-key", "rotate"],
    &["context", "create", "--key", ID, "spring"],
    &["context", "list"],
    &["context", "show", CONTEXT],
    &["context", "archive", CONTEXT, "--yes"],
    &["verdict", "get", "--context", CONTEXT, WHO],
    &["verdict", "list", "--context", CONTEXT],
    &[
        "verdict",
        "override",
        "--context",
        CONTEXT,
        WHO,
        "--to",
        "bot",
        "--reason",
        "x",
    ],
    &[
        "verdict",
        "label",
        "--context",
        CONTEXT,
        WHO,
        "bot",
        "--reason",
        "x",
    ],
    &["verdict", "calibration"],
    &[
        "recording",
        "export",
        "--context",
        CONTEXT,
        "--label",
        "human",
        "--out",
        "recordings",
    ],
    &["usage"],
    &["usage", "export", "--client", "acme"],
    &["erase", "--address", WHO, "--reason", "x", "--yes"],
    &["erase", "--address", WHO, "--reason", "x", "--dry-run"],
    &["audit", "verify"],
    &["audit", "export", "--client", "acme"],
    &["audit", "log"],
    &["invoice", "list"],
    &["invoice", "close"],
    &["invoice", "preview", "--client", "acme"],
    &["admin", "token", "list"],
    &[
        "admin", "token", "create", "--name", "ops", "--role", "owner",
    ],
    &["store", "info"],
    &["store", "verify"],
    &["store", "backup"],
    &["store", "compact"],
];

#[test]
fn command_without_a_store_creates_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    let tree_before = tree(folder.path());
    for data_dir in [folder.path().join("absent"), empty] {
        for arguments in COMMANDS {
            let output = command::voight(&data_dir)
                .current_dir(folder.path())
                .args(arguments)
                .output()
                .unwrap();
            assert_rejected(
                &output,
                4,
                &[
                    "there is no store",
                    data_dir.to_str().unwrap(),
                    "--data-dir",
                ],
            );
            assert_eq!(tree(folder.path()), tree_before, "{arguments:?}");
        }
    }
}

#[test]
fn missing_store_of_a_flag_is_not_created() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let elsewhere = format!("redb:{}", folder.path().join("elsewhere.redb").display());
    let output = command::run(&data_dir, &["--store", &elsewhere, "client", "list"]);
    assert_rejected(
        &output,
        4,
        &["there is no store", "elsewhere.redb", "voight store init"],
    );
    let output = command::run(&data_dir, &["--store", "memory:", "client", "list"]);
    assert_rejected(&output, 4, &["memory:", "voight --store memory: serve"]);
    assert!(tree(folder.path()).is_empty());
}

#[test]
fn store_init_creates_an_empty_store_once() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let first = command::json(&data_dir, &["store", "init"]);
    assert_eq!(
        (&first["created"], &first["data_dir"]),
        (&true.into(), &data_dir.to_str().unwrap().into()),
        "{first}"
    );
    assert_eq!(
        command::json(&data_dir, &["client", "list"]),
        serde_json::json!([])
    );
    let names = || tree(&data_dir).into_keys().collect::<Vec<_>>();
    let names_before = names();
    assert_eq!(
        command::json(&data_dir, &["store", "init"])["created"],
        false
    );
    assert_eq!(names(), names_before);
    assert_rejected(
        &command::run(&data_dir, &["--store", "memory:", "store", "init"]),
        2,
        &["memory:", "serve"],
    );
}

#[test]
fn commands_store_no_secrets_and_no_url() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let other_dir = folder.path().join("other");
    command::init(&data_dir);
    command::init(&other_dir);
    let marker = std::fs::read(data_dir.join("voight.json")).unwrap();
    let pepper = std::fs::read_to_string(other_dir.join("pepper")).unwrap();
    let store = format!("redb:{}", other_dir.join("voight.redb").display());
    for dir in [&data_dir, &folder.path().join("absent")] {
        let mut list = command::voight(dir);
        list.env("VOIGHT_PEPPER", pepper.trim())
            .args(["--store", &store, "client", "list"]);
        let output = list.output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    assert_eq!(
        std::fs::read(data_dir.join("voight.json")).unwrap(),
        marker,
        "the next server would use another store"
    );
    assert!(!folder.path().join("absent").exists());
}
