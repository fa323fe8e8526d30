//! Guide for backups, executed from an empty directory: backup on one machine, restore and verification on another.

use crate::cli::rejection::assert_rejected;
use crate::store::fixture::{StoreFixture, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;
use voight_tests::guide::GuideService;
use voight_tests::server::Server;
use voight_tests::{command, guide, http, ports};

const GUIDE: &str = include_str!("../../../docs/guides/back-up-and-restore.md");
const README: &str = include_str!("../../../README.md");
const ADDRESS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";
const LOOKS: u32 = 400;

/// Machine: a directory for commands, its environment, and the paths of pepper and backups.
struct BackupMachine<'a> {
    folder: PathBuf,
    shared: &'a Path,
    public: u16,
    admin: u16,
}

impl<'a> BackupMachine<'a> {
    fn new(shared: &'a Path, name: &str) -> Self {
        let folder = shared.join(name);
        fs::create_dir(&folder).expect("a folder");
        Self {
            folder,
            shared,
            public: ports::free(),
            admin: ports::free(),
        }
    }

    fn shell(&self, script: &str) -> Command {
        let place = |name: &str| self.shared.join(name).display().to_string();
        let script = script
            .replace("/safe", &place("safe"))
            .replace("/backups", &place("backups"));
        let mut shell = guide::shell(&script);
        shell
            .current_dir(&self.folder)
            .stdin(Stdio::null())
            .env_clear()
            .env("PATH", guide::search_path());
        for (name, port) in [("LISTEN", self.public), ("ADMIN_LISTEN", self.admin)] {
            shell.env(
                format!("VOIGHT__SERVER__{name}"),
                format!("127.0.0.1:{port}"),
            );
        }
        shell
    }

    fn run(&self, name: &str) -> String {
        let output = self
            .shell(guide::block(GUIDE, name))
            .output()
            .expect("bash starts");
        let [message, shown] = [&output.stderr, &output.stdout]
            .map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        assert!(output.status.success(), "{name}: {message}");
        shown + &message
    }

    /// Starts the service with the guide's command, which replaces the shell, and waits until it is ready.
    fn serve(&self) -> GuideService {
        let mut shell =
            self.shell(&guide::block(GUIDE, "serve").replacen("voight", "exec voight", 1));
        shell.stderr(Stdio::null());
        let service = GuideService::start(shell);
        let url = format!("http://127.0.0.1:{}/readyz", self.admin);
        let is_ready =
            || http::get(&http::agent(), &url, &[]).is_ok_and(|answer| answer.status == 200);
        let soon = (0..LOOKS).any(|_| {
            thread::sleep(Duration::from_millis(50));
            is_ready()
        });
        assert!(soon, "the service is not ready");
        service
    }

    fn look_up(&self, key: &str, context: &str) -> http::Response {
        let url = format!(
            "http://127.0.0.1:{}/api/v1/users/eoa?eoa_address={ADDRESS}&context_id={context}",
            self.public
        );
        http::get(&http::agent(), &url, &[("x-api-key", key)]).expect("the service answers")
    }
}

fn member(document: &serde_json::Value, name: &str) -> String {
    document[name]
        .as_str()
        .unwrap_or_else(|| panic!("no {name} in {document}"))
        .to_owned()
}

/// Creates a client, a key and a context that calls the address a bot; returns the key and the context.
fn create_context_with_bot(data: &Path) -> (String, String) {
    command::json(data, &["client", "create", "acme"]);
    let key = command::json(data, &["key", "create", "--client", "acme"]);
    let key_id = member(&key, "key_id");
    let context = command::json(data, &["context", "create", "--key", &key_id, "spring"]);
    let context = member(&context, "context_id");
    command::json(
        data,
        &[
            "verdict",
            "override",
            "--context",
            &context,
            ADDRESS,
            "--to",
            "bot",
            "--reason",
            "x",
        ],
    );
    (member(&key, "key"), context)
}

#[test]
fn backup_guide_is_executed() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["safe", "backups"] {
        fs::create_dir(folder.path().join(name)).expect("a folder");
    }
    let first = BackupMachine::new(folder.path(), "first");
    let service = first.serve();
    let (key, context) = create_context_with_bot(&first.folder.join("voight-data"));
    let answer = first.look_up(&key, &context);
    assert_eq!(answer.status, 200, "{}", answer.body);

    first.run("pepper");
    let backed_up = first.run("backup");
    assert!(backed_up.contains("is valid"), "{backed_up}");
    drop(service);
    fs::remove_dir_all(&first.folder).expect("the first machine is lost");

    let next = BackupMachine::new(folder.path(), "next");
    let restore_output = next.run("restore");
    assert!(
        restore_output.contains("is valid")
            && restore_output.contains("Next: `voight store verify`"),
        "{restore_output}"
    );
    let verify_output = next.run("check");
    assert!(
        verify_output.contains("acme") && verify_output.contains("The audit log is valid"),
        "{verify_output}"
    );
    let _service = next.serve();
    let answer = next.look_up(&key, &context);
    assert_eq!(
        (answer.status, answer.json()["data"]["isBot"].as_bool()),
        (200, Some(true)),
        "{}",
        answer.body
    );
}

#[test]
fn restored_store_is_verified_without_pepper() {
    let stage = StoreFixture::new();
    let (file, proof) = stage.backup();
    let other_dir = stage.path("other");
    let output = command::run(&other_dir, &["store", "restore", text(&file)]);
    let message = String::from_utf8_lossy(&output.stderr);
    let pepper = other_dir.join("pepper");
    assert!(
        output.status.success() && message.contains("Before `voight serve`, put the pepper"),
        "{message}"
    );
    assert!(message.contains(text(&pepper)), "{message}");
    let report = command::json(&other_dir, &["store", "verify"]);
    assert!(
        report["damaged"] == 0 && report["rows"].as_u64() >= proof["rows"].as_u64(),
        "{report}"
    );
    for arguments in [
        &["client", "list"][..],
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--admin-listen",
            "127.0.0.1:0",
        ],
    ] {
        let output = command::run(&other_dir, arguments);
        assert_rejected(
            &output,
            3,
            &[
                "the pepper that it was created with",
                text(&pepper),
                "VOIGHT_PEPPER",
            ],
        );
        assert!(
            !pepper.exists(),
            "a new pepper was created, which opens nothing"
        );
    }
    fs::copy(stage.data().join("pepper"), &pepper).unwrap();
    assert_eq!(stage.answers(&other_dir), stage.answers(&stage.data()));
}

#[test]
fn all_pages_state_the_same_backup_rule() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let in_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let parts = [
        "Back up two things and keep them apart: the store, with `voight store backup`, and once the pepper",
        "A backup does not contain the pepper, and without it a restored store opens no key.",
    ];
    let output = command::run(&data, &["store", "init"]);
    let out = folder.path().join("one.dump");
    let backup = command::run(&data, &["store", "backup", "--out", text(&out)]);
    let server = Server::start(&folder.path().join("served"));
    for (place, message) in [
        ("the guide", GUIDE.to_owned()),
        ("README", README.to_owned()),
        (
            "store init",
            String::from_utf8_lossy(&output.stderr).into_owned(),
        ),
        (
            "store backup",
            String::from_utf8_lossy(&backup.stderr).into_owned(),
        ),
        ("the first start", server.log()),
    ] {
        let message = in_one_line(&message);
        for part in parts {
            assert!(
                message.contains(part),
                "{place} has not {part:?}: {message}"
            );
        }
        assert!(!message.contains("keep them together"), "{place}");
    }
}
