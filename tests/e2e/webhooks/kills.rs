//! Kills of the server while clients cause events: each committed event is in the feed once, and delivered at least once.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "the test reports how many events there are, and how long they take"
)]

use super::feed::{create_endpoint, last_event, read_feed, register, registered_context, text};
use super::tls_receiver::TlsReceiver;
use crate::cluster::nodes::OnSchema;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};
use voight_tests::server::{Server, TestAccount};
use voight_tests::tier::is_full_or_skipped;
use voight_tests::{http, ports, test_name};

/// Environment variable with the number of kills, in place of the default.
const VOLUME: &str = "VOIGHT_EVENT_KILLS";
const KILLS: usize = 200;
const KILLS_ON_POSTGRES: usize = 50;
/// Number of clients, and of connections of each.
const CLIENTS: usize = 4;
const CONNECTIONS: usize = 8;
/// Minimum and maximum time from the start of a server until it is killed, in milliseconds.
const LIFE: std::ops::Range<u64> = 50..1_000;
/// Maximum duration of a start until it is killed, in milliseconds.
const START: u64 = 100;
/// Minimum rate of events while a server runs.
const MIN_RATE: f64 = 500.0;
const PAUSE: Duration = Duration::from_millis(20);
/// Maximum time from the last kill until all events are delivered.
const MAX_DELIVERY_TIME: Duration = Duration::from_mins(10);

/// Client with an endpoint, and the contexts that it registers.
struct EventSource {
    account: TestAccount,
    /// Number of the first event that is sent to the endpoint.
    first_event: u64,
    /// Ids of the contexts whose registration was answered.
    contexts: Mutex<Vec<String>>,
    /// Number of registrations without an answer.
    unanswered: AtomicUsize,
}

impl EventSource {
    fn create(server: &Server, name: &str, receiver: &TlsReceiver) -> Self {
        let (account, _) = create_endpoint(server, name, &receiver.url());
        Self {
            first_event: last_event(server, &account) + 1,
            contexts: Mutex::new(vec![account.context.clone()]),
            account,
            unanswered: AtomicUsize::new(0),
        }
    }

    /// Registers contexts, each of which is an event, until `is_done`.
    fn register_contexts(&self, url: &str, is_done: &AtomicBool) {
        let agent = http::agent();
        while !is_done.load(Ordering::SeqCst) {
            match register(&agent, url, &self.account) {
                Ok(response) if response.status == 200 => {
                    let id = text(&response.json()["data"]["context_id"]);
                    self.contexts.lock().expect("no panic").push(id);
                }
                Ok(response) => assert_eq!(response.status, 503, "{}", response.body),
                Err(_) => {
                    self.unanswered.fetch_add(1, Ordering::SeqCst);
                    sleep(PAUSE);
                }
            }
        }
    }

    /// Asserts that the feed has each answered registration once, and no gap. Returns the ids of the events to deliver.
    fn assert_feed_is_exact(&self, server: &Server) -> BTreeSet<String> {
        let feed = read_feed(server, &self.account, 0);
        let numbers = feed.iter().map(|event| event["number"].as_u64());
        let expected_numbers = (1..).map(Some).take(feed.len());
        assert!(
            numbers.eq(expected_numbers),
            "the feed of {} has a gap or a repetition",
            self.account.client
        );
        let event_counts = count_registrations(&feed);
        let contexts = self.contexts.lock().expect("no panic");
        for context in contexts.iter() {
            assert_eq!(
                event_counts.get(context.as_str()),
                Some(&1),
                "events of {context}"
            );
        }
        let unanswered_count = event_counts.len() - contexts.len();
        let interrupted_calls = self.unanswered.load(Ordering::SeqCst);
        // The other context is that of the key with which the client was created.
        assert!(
            unanswered_count <= interrupted_calls + 1,
            "{unanswered_count} events without an answer, {interrupted_calls} calls"
        );
        let sent_events = feed.iter().skip_while(|event| {
            event["number"]
                .as_u64()
                .is_some_and(|number| number < self.first_event)
        });
        sent_events.map(|event| text(&event["id"])).collect()
    }
}

/// Returns the number of events of the registration of each context.
fn count_registrations(feed: &[Value]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for context in feed.iter().filter_map(registered_context) {
        *counts.entry(context).or_default() += 1;
    }
    counts
}

/// Server that is killed and restarted on the same ports.
struct KilledServer<'a> {
    data_dir: PathBuf,
    ports: [u16; 2],
    configure: &'a dyn Fn(&mut Command),
    server: Server,
    /// Total time for which the server was ready.
    uptime: Duration,
    kills: usize,
}

impl<'a> KilledServer<'a> {
    fn start(data_dir: &Path, configure: &'a dyn Fn(&mut Command)) -> Self {
        let ports = [ports::free(), ports::free()];
        Self {
            server: Server::start_on(data_dir, ports[0], ports[1], configure),
            data_dir: data_dir.to_owned(),
            ports,
            configure,
            uptime: Duration::ZERO,
            kills: 0,
        }
    }

    /// Kills the server `count` times at random moments; one kill in five is within a start.
    fn kill_repeatedly(&mut self, count: usize) {
        let [public, admin] = self.ports;
        while self.kills < count {
            let ready_since = Instant::now();
            sleep(Duration::from_millis(fastrand::u64(LIFE)));
            self.server.kill();
            self.uptime += ready_since.elapsed();
            self.kills += 1;
            if fastrand::u8(..5) == 0 && self.kills < count {
                let mut starting_server =
                    Server::spawn_on(&self.data_dir, public, admin, self.configure);
                sleep(Duration::from_millis(fastrand::u64(..START)));
                starting_server.kill();
                self.kills += 1;
            }
            self.server = Server::start_on(&self.data_dir, public, admin, self.configure);
        }
    }
}

/// Returns the number of kills.
fn volume(default: usize) -> usize {
    std::env::var(VOLUME).map_or(default, |text| text.parse().expect("a number of kills"))
}

/// Kills a server under load, and asserts that every event is in the feed once and delivered at least once.
fn assert_events_survive(kills: usize, data_dir: &Path, settle: &dyn Fn(&mut Command)) {
    let receiver = TlsReceiver::start();
    let configure = |command: &mut Command| {
        settle(command);
        command.env("VOIGHT__LIMITS__ENABLED", "false");
        receiver.configure(command);
    };
    let mut killed_server = KilledServer::start(data_dir, &configure);
    let url = killed_server.server.url();
    let sources: [_; CLIENTS] = std::array::from_fn(|number| {
        let name = format!("client-{number}");
        EventSource::create(&killed_server.server, &name, &receiver)
    });
    let is_done = AtomicBool::new(false);
    let begin = Instant::now();
    thread::scope(|scope| {
        for source in sources.iter().cycle().take(CLIENTS * CONNECTIONS) {
            scope.spawn(|| source.register_contexts(&url, &is_done));
        }
        killed_server.kill_repeatedly(kills);
        is_done.store(true, Ordering::SeqCst);
    });
    let load_time = begin.elapsed();
    let ids: BTreeSet<_> = sources
        .iter()
        .flat_map(|source| source.assert_feed_is_exact(&killed_server.server))
        .collect();
    let rate = rate(ids.len(), killed_server.uptime);
    println!(
        "{} events in {load_time:.1?}, {rate:.0} a second while the server ran; {} kills",
        ids.len(),
        killed_server.kills
    );
    assert_all_are_delivered(&receiver, &ids);
    assert!(rate >= MIN_RATE, "the load was too small: {rate:.0}");
}

#[expect(clippy::cast_precision_loss, reason = "the count is small")]
fn rate(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

/// Waits until all events are delivered, and asserts that nothing else was.
fn assert_all_are_delivered(receiver: &TlsReceiver, ids: &BTreeSet<String>) {
    let first_count = receiver.delivery_counts().len();
    let delivery_time = receiver.wait_for(ids, MAX_DELIVERY_TIME);
    let counts = receiver.delivery_counts();
    println!(
        "{first_count} events were delivered before the feeds were read, the others within {delivery_time:.1?}; {} repeated deliveries, at most {:?} of one event",
        receiver.repetitions(),
        counts.values().max()
    );
    assert!(
        counts.keys().all(|id| ids.contains(id)),
        "an event was delivered that is not in a feed"
    );
}

#[test]
fn events_survive_kills_under_load() {
    if !is_full_or_skipped(test_name!()) {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert_events_survive(volume(KILLS), &folder.path().join("data"), &|_| {});
}

#[test]
fn events_survive_kills_on_postgres() {
    if !is_full_or_skipped(test_name!()) {
        return;
    }
    let stage = OnSchema::new("event_kills");
    assert_events_survive(
        volume(KILLS_ON_POSTGRES),
        &stage.nodes.data_dir("a"),
        &|command| stage.nodes.settle(command),
    );
}
