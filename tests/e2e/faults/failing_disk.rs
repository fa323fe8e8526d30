//! Disk that starts to fail under a running server: no further acknowledgements, and no acknowledged write is lost.
//!
//! `strace` makes the system calls fail.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use voight_tests::engines::{ENGINES, StoreEngine};
use voight_tests::server::{Server, TestAccount};
use voight_tests::test_name;
use voight_tests::{command, http, ports, skip};

const CONNECTIONS: u64 = 8;
/// Timeout for the server to detect the fault and to end.
const START_TIMEOUT: Duration = Duration::from_secs(30);

#[test]
fn server_stops_when_syncs_fail() {
    for engine in &ENGINES {
        assert_stopped(test_name!(), engine, engine.sync_calls);
    }
}

#[test]
fn server_stops_when_writes_fail() {
    for engine in &ENGINES {
        assert_stopped(test_name!(), engine, "pwrite64");
    }
}

/// Responses to the clients.
#[derive(Default)]
struct RequestLog {
    asked: AtomicU64,
    answered: AtomicU64,
    last_seq: AtomicU64,
}

fn assert_last_line_explains(server: &Server, store: &Path) {
    let last_line = server.last_line();
    for word in [
        "has stopped",
        store.to_str().expect("a path in UTF-8"),
        "voight store verify",
    ] {
        assert!(
            last_line.contains(word),
            "{word} is not in the last line: {last_line}"
        );
    }
}

/// Asserts that a server stops when these calls fail, and that its store has every acknowledged write.
fn assert_stopped(name: &str, engine: &StoreEngine, calls: &str) {
    if let Err(why) = Command::new("strace").arg("-V").output() {
        return skip::skipped(name, &format!("strace: {why}"));
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let store = data_dir.join(format!("voight.{}", engine.scheme));
    let public = ports::free();
    let admin = ports::free();
    let start = || {
        Server::start_on(&data_dir, public, admin, |command| {
            command.env("VOIGHT__LIMITS__ENABLED", "false");
            command.env("VOIGHT__STORE__URL", engine.url(&store));
        })
    };
    let mut server = start();
    let account = server.account("acme");
    let Some(mut strace) = strace(server.pid(), calls) else {
        return skip::skipped(name, "strace may not follow the server");
    };

    let journal = RequestLog::default();
    let is_done = AtomicBool::new(false);
    let unready = AtomicBool::new(false);
    let code = std::thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| load(public, &account, &journal, &is_done));
        }
        scope.spawn(|| watch(admin, &unready, &is_done));
        let code = server.ended(START_TIMEOUT);
        is_done.store(true, Ordering::SeqCst);
        code
    });
    let _ = strace.wait();

    assert_eq!(code, Some(1), "{}", server.log());
    assert!(
        unready.load(Ordering::SeqCst),
        "it was ready to its end:\n{}",
        server.log()
    );
    assert_last_line_explains(&server, &store);
    let mut server = start();
    assert_whole(&data_dir, &journal);
    assert_eq!(
        server
            .look_up(&account, "0x1111111111111111111111111111111111111111")
            .status,
        200
    );
    assert_eq!(server.stop(), Some(0), "{}", server.log());
    assert_eq!(command::json(&data_dir, &["store", "verify"])["damaged"], 0);
}

/// Asserts that every answered lookup has its row, and at most those in flight have one without a response.
fn assert_whole(data_dir: &Path, journal: &RequestLog) {
    let [asked, answered, last_seq] = [&journal.asked, &journal.answered, &journal.last_seq]
        .map(|number| number.load(Ordering::SeqCst));
    let rows = command::json(data_dir, &["usage"])["clients"][0]["billable"]
        .as_u64()
        .expect("a number");
    assert!(
        answered > 0,
        "of {asked} lookups none was answered before the disk failed"
    );
    assert!(
        rows >= answered && rows >= last_seq,
        "{answered} answers up to {last_seq}, but only {rows} rows"
    );
    assert!(
        rows <= answered + CONNECTIONS,
        "{rows} rows for {answered} answers"
    );
}

/// Fails these calls of a process from the thirtieth of each thread on; `None` if this user may not.
fn strace(pid: u32, calls: &str) -> Option<Child> {
    let inject = format!("inject={calls}:error=EIO:when=30+");
    let mut strace = Command::new("strace");
    strace.args([
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        &format!("trace={calls}"),
        "-e",
        &inject,
    ]);
    let mut child = strace
        .args(["-p", &pid.to_string()])
        .stderr(Stdio::null())
        .spawn()
        .expect("strace starts");
    while !is_followed(pid) {
        if let Ok(Some(_)) = child.try_wait() {
            return None;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    Some(child)
}

/// Returns `true` if every thread of the process has a tracer.
fn is_followed(pid: u32) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task"))
        .into_iter()
        .flatten()
        .flatten();
    let mut status = threads
        .map(|thread| thread.path().join("status"))
        .map(|path: PathBuf| std::fs::read_to_string(path));
    status.all(|status| status.is_ok_and(|status| !status.contains("TracerPid:\t0\n")))
}

fn load(public: u16, account: &TestAccount, journal: &RequestLog, is_done: &AtomicBool) {
    let agent = http::agent();
    while !is_done.load(Ordering::SeqCst) {
        let number = journal.asked.fetch_add(1, Ordering::SeqCst);
        let query = format!("eoa_address=0x{number:040x}&context_id={}", account.context);
        let url = format!("http://127.0.0.1:{public}/api/v1/users/eoa?{query}");
        match http::get(&agent, &url, &[("x-api-key", &account.key)]) {
            Ok(response) if response.status == 200 => {
                journal.answered.fetch_add(1, Ordering::SeqCst);
                let meter = response
                    .header("voight-meter")
                    .expect("every 200 carries Voight-Meter");
                let seq = meter
                    .strip_prefix("seq=")
                    .and_then(|text| text.split(',').next())
                    .expect("seq=…");
                journal
                    .last_seq
                    .fetch_max(seq.parse().expect("a number"), Ordering::SeqCst);
            }
            // The outcome of this lookup is unknown; the client stops.
            Ok(_) | Err(_) => return,
        }
    }
}

/// Records whether the service was unready before it ended.
fn watch(admin: u16, unready: &AtomicBool, is_done: &AtomicBool) {
    let agent = http::agent();
    let url = format!("http://127.0.0.1:{admin}/readyz");
    while !is_done.load(Ordering::SeqCst) {
        if http::get(&agent, &url, &[]).is_ok_and(|response| response.status == 503) {
            unready.store(true, Ordering::SeqCst);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}
