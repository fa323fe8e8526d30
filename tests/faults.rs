//! What a crash may cost: nothing that was acknowledged.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use voight_tests::server::{Account, Server};
use voight_tests::{command, http, ports};

const KILLS: u64 = 20;
const CONNECTIONS: u64 = 16;

/// What the clients were told, kept outside of the store.
#[derive(Default)]
struct Journal {
    asked: AtomicU64,
    answered: AtomicU64,
    /// Highest sequence number in an answer.
    last_seq: AtomicU64,
    registered: Mutex<Vec<String>>,
}

/// The one promise that a crash is measured by: every answered lookup has its row; a row without an answer was in flight
/// when the process died; contexts, keys and verdicts that were acknowledged are whole.
#[test]
fn twenty_kills_under_load_lose_nothing_that_was_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let (public, admin) = (ports::free(), ports::free());
    let start = || {
        Server::start_on(&data_dir, public, admin, |command| {
            command.env("VOIGHT__LIMITS__ENABLED", "false");
        })
    };
    let mut server = start();
    let account = server.account("acme");
    let flagged = "0x2222222222222222222222222222222222222222";
    override_to_bot(&data_dir, &account, flagged);

    let journal = Journal::default();
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..CONNECTIONS {
            scope.spawn(|| load(public, &account, &journal, &done));
        }
        for _ in 0..KILLS {
            std::thread::sleep(Duration::from_millis(250));
            server.kill();
            server = start();
        }
        done.store(true, Ordering::SeqCst);
    });

    let answered = journal.answered.load(Ordering::SeqCst);
    let usage = &command::json(&data_dir, &["usage"])["clients"][0];
    let rows = usage["billable"].as_u64().unwrap();
    println!("{KILLS} kills: {} asked, {answered} answered, {rows} rows", journal.asked.load(Ordering::SeqCst));
    assert!(answered > KILLS * CONNECTIONS, "the load was too small to prove anything: {answered} answers");
    assert!(rows >= answered, "{answered} answers, but only {rows} rows");
    assert!(rows <= answered + KILLS * CONNECTIONS, "{rows} rows for {answered} answers and {KILLS} kills");
    assert!(rows >= journal.last_seq.load(Ordering::SeqCst));
    assert_eq!(usage["free"].as_u64().unwrap(), rows.min(1000));

    for context in journal.registered.lock().unwrap().iter() {
        let kept = Account { context: context.clone(), ..account.clone() };
        assert_eq!(server.look_up(&kept, flagged).status, 200, "the context {context} was acknowledged and is gone");
    }
    assert_eq!(server.look_up(&account, flagged).json()["data"]["isBot"], true, "the verdict is gone");
    assert_eq!(server.stop(), Some(0), "{}", server.log());
}

fn override_to_bot(data_dir: &Path, account: &Account, address: &str) {
    let arguments =
        ["verdict", "override", "--context", &account.context, address, "--to", "bot", "--reason", "a test"];
    command::json(data_dir, &arguments);
}

/// One client: looks up, now and then registers a context, and writes down what it was told.
fn load(public: u16, account: &Account, journal: &Journal, done: &AtomicBool) {
    let agent = http::agent();
    let base = format!("http://127.0.0.1:{public}");
    while !done.load(Ordering::SeqCst) {
        let asked = journal.asked.fetch_add(1, Ordering::SeqCst);
        let url = format!("{base}/api/v1/users/eoa?eoa_address=0x{asked:040x}&context_id={}", account.context);
        match http::get(&agent, &url, &[("x-api-key", &account.key)]) {
            Ok(response) if response.status == 200 => note(journal, &response),
            // The server is being killed or is starting: the outcome is unknown, which is what the journal is for.
            Ok(_) | Err(_) => std::thread::sleep(Duration::from_millis(10)),
        }
        if asked.is_multiple_of(97) {
            register(&agent, &base, account, journal);
        }
    }
}

fn note(journal: &Journal, response: &http::Response) {
    journal.answered.fetch_add(1, Ordering::SeqCst);
    let meter = response.header("voight-meter").expect("every 200 carries Voight-Meter");
    let seq = meter.strip_prefix("seq=").and_then(|rest| rest.split(',').next()).expect("seq=…");
    journal.last_seq.fetch_max(seq.parse().expect("a number"), Ordering::SeqCst);
}

fn register(agent: &ureq::Agent, base: &str, account: &Account, journal: &Journal) {
    let url = format!("{base}/api/v1/register/context_id");
    let headers = [("x-api-key", account.key.as_str()), ("content-type", "application/json")];
    if let Ok(response) = http::post(agent, &url, &headers, br#"{"context_title":"kept"}"#)
        && response.status == 200
    {
        let id = response.json()["data"]["context_id"].as_str().expect("a context id").to_owned();
        journal.registered.lock().expect("the journal").push(id);
    }
}
