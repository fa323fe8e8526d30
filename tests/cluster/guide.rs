//! The guide's commands, from an empty database and empty machines; only places, passwords and ports are replaced.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;
use voight_tests::postgres::Cluster;
use voight_tests::{http, paths, ports};

const GUIDE: &str = include_str!("../../docs/guides/cluster-with-postgresql.md");
const PASSWORD: &str = "correct-horse";
const PAUSE: Duration = Duration::from_millis(50);
const POLL_ATTEMPTS: u32 = 400;

/// The block that follows `<!-- run: name -->`.
fn block(name: &str) -> &'static str {
    let marker = format!("<!-- run: {name} -->\n```");
    let (_, rest) = GUIDE.split_once(&marker).unwrap_or_else(|| panic!("the guide has no block {name}"));
    let (_, rest) = rest.split_once('\n').expect("a fence");
    rest.split_once("\n```").expect("the end of the block").0
}

/// A machine: a folder that commands run in, and where its service listens.
struct Machine {
    folder: PathBuf,
    public: u16,
    admin: u16,
    service: Option<Child>,
}

impl Machine {
    fn new(folder: PathBuf) -> Self {
        std::fs::create_dir(&folder).expect("a folder");
        Self { folder, public: ports::free(), admin: ports::free(), service: None }
    }

    /// A shell with `voight` on its path.
    fn shell(&self, script: &str) -> Command {
        let binaries = paths::binary().parent().expect("the binary's folder").display().to_string();
        let mut shell = Command::new("bash");
        shell.args(["-eu", "-c", script]).current_dir(&self.folder).stdin(Stdio::null());
        shell.env("PATH", format!("{binaries}:{}", std::env::var("PATH").unwrap_or_default()));
        let listen = |port: u16| format!("127.0.0.1:{port}");
        shell
            .env("VOIGHT__SERVER__LISTEN", listen(self.public))
            .env("VOIGHT__SERVER__ADMIN_LISTEN", listen(self.admin));
        shell
    }

    /// Starts the service with the guide's command, which takes the shell's place, and waits until it is ready.
    fn serve(&mut self, command: &str) {
        let mut shell = self.shell(&command.replacen("voight --store", "exec voight --store", 1));
        self.service = Some(shell.stderr(Stdio::null()).spawn().expect("bash starts"));
        let url = format!("http://127.0.0.1:{}/readyz", self.admin);
        let is_ready = || http::get(&http::agent(), &url, &[]).is_ok_and(|answer| answer.status == 200);
        let soon = (0..POLL_ATTEMPTS).any(|_| {
            thread::sleep(PAUSE);
            is_ready()
        });
        assert!(soon, "the service is not ready: {command}");
    }

    fn run(&self, script: &str) -> String {
        let output = self.shell(script).output().expect("bash starts");
        assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    }

    /// What a request with this key is answered with.
    fn status(&self, key: &str) -> u16 {
        let url = format!("http://127.0.0.1:{}/api/v1/register/context_id", self.public);
        let headers = [("x-api-key", key), ("content-type", "application/json")];
        let body = br#"{"context_title":"spring"}"#;
        http::post(&http::agent(), &url, &headers, body).expect("the service answers").status
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        if let Some(mut service) = self.service.take() {
            let _ = service.kill();
            let _ = service.wait();
        }
    }
}

fn pepper(data_dir: &Path) -> String {
    std::fs::read_to_string(data_dir.join("pepper")).expect("the first machine has made a pepper").trim().to_owned()
}

#[test]
fn the_guide_leads_from_empty_machines_to_two_that_share_a_store() {
    let (server, folder) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let cluster = Cluster::start(server.path()).expect("a server");
    for statement in block("role").replace('…', PASSWORD).split_inclusive(';') {
        cluster.run(statement).expect("the guide's SQL");
    }
    let here = |name: &str| {
        block(name).replace("PGPASSWORD=…", &format!("PGPASSWORD={PASSWORD}")).replace("db.example", &cluster.address())
    };
    let mut first = Machine::new(folder.path().join("first"));
    first.serve(&here("first"));
    let mut next = Machine::new(folder.path().join("next"));
    let pepper = pepper(&first.folder.join("voight-data"));
    next.serve(&here("next").replace("VOIGHT_PEPPER=…", &format!("VOIGHT_PEPPER={pepper}")));
    let said = next.run(block("client"));
    let key = said.split_whitespace().find(|word| word.starts_with("vgt_live_")).expect("a key");
    assert_eq!([first.status(key), next.status(key)], [200, 200], "a key is good at both");
}
