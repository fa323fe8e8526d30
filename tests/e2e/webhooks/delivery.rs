//! Deliveries of the real binary to a receiver on Node.

use super::feed::{create_endpoint, data, last_event, read_feed, text};
use super::node_receiver::NodeReceiver;
use crate::erase::check::ScriptedCheck;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;
use voight_tests::server::{Server, TestAccount};
use voight_tests::test_name;

const ADDRESS: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
/// Maximum time from the flag to its delivery. On a machine without other work it is a quarter of a second.
const MAX_LAG: Duration = Duration::from_secs(5);

/// Server with an endpoint at a receiver.
struct Scene {
    data_dir: tempfile::TempDir,
    server: Server,
    account: TestAccount,
    receiver: NodeReceiver,
    secret: String,
    /// Number of the first event that is sent.
    first_event: u64,
}

impl Scene {
    /// Starts a server and a receiver; `None` if the packages of the receiver are not installed.
    fn start(test: &str) -> Option<Self> {
        let modules = voight_tests::paths::tools().join(super::MODULES);
        let Some(mut receiver) = NodeReceiver::new(&modules) else {
            super::skip_without(test, &modules);
            return None;
        };
        let data_dir = tempfile::tempdir().expect("a temporary folder");
        let server = start_server(data_dir.path(), &receiver);
        let (account, endpoint) = create_endpoint(&server, "acme", &receiver.url());
        let secret = text(&endpoint["secret"]);
        receiver.start(&secret);
        Some(Self {
            first_event: last_event(&server, &account) + 1,
            data_dir,
            server,
            account,
            receiver,
            secret,
        })
    }

    fn restart_server(&mut self) {
        self.server.kill();
        self.server = start_server(self.data_dir.path(), &self.receiver);
    }

    fn restart_receiver(&mut self) {
        self.receiver.kill();
        self.receiver.start(&self.secret);
    }

    /// Returns the ids of all events since the creation of the endpoint.
    fn events_of_endpoint(&self) -> BTreeSet<String> {
        let events = read_feed(&self.server, &self.account, self.first_event - 1);
        events.iter().map(|event| text(&event["id"])).collect()
    }
}

fn start_server(data_dir: &Path, receiver: &NodeReceiver) -> Server {
    Server::start_with(&data_dir.join("data"), |command| {
        receiver.configure(command);
    })
}

/// Completes a check of a visitor whose browser is, or is not, automated.
fn check(scene: &Scene, is_automated: bool) {
    let check = ScriptedCheck::open(&scene.server, &scene.account.context, ADDRESS);
    let mut first = check.first_batch();
    if is_automated {
        first["env"] = json!({"webdriver": {"value": true, "own": false, "inPrototype": true}});
    }
    check.run(&scene.server, &first);
    let response = check.complete(&scene.server);
    assert_eq!(response.status, 200, "{}", response.body);
}

#[test]
fn flagged_verdict_reaches_a_node_receiver() {
    let Some(scene) = Scene::start(test_name!()) else {
        return;
    };
    check(&scene, false);
    let answer = scene.server.look_up(&scene.account, ADDRESS);
    assert_eq!(data(&answer)["isBot"], false);
    check(&scene, true);
    let request = scene.receiver.wait_for("verdict.flagged");
    let event = &request["event"];
    assert_eq!(event["data"]["eoa_address"], ADDRESS);
    assert_eq!(event["data"]["isBot"], true);
    assert_eq!(event["id"], request["id"]);
    let received = u64::try_from(request["received"].as_i64().expect("a time")).expect("a time");
    let lag = Duration::from_millis(received).saturating_sub(time_of(event));
    println!("{lag:?} from the flag to its delivery");
    assert!(lag < MAX_LAG, "{lag:?}");
}

/// Returns the time of an event since the Unix epoch.
fn time_of(event: &Value) -> Duration {
    let time: voight_domain::Timestamp = text(&event["timestamp"]).parse().expect("a time");
    Duration::from_millis(u64::try_from(time.as_millis()).expect("a time after 1970"))
}

#[test]
fn killed_receiver_and_server_lose_no_event() {
    let Some(mut scene) = Scene::start(test_name!()) else {
        return;
    };
    for number in 0..30 {
        match number {
            8 | 20 => scene.receiver.kill(),
            12 => scene.restart_receiver(),
            16 => scene.restart_server(),
            24 => {
                scene.restart_server();
                scene.restart_receiver();
            }
            _ => {}
        }
        scene
            .server
            .register(&scene.account.key, &format!("quest-{number}"));
    }
    let events = scene.events_of_endpoint();
    scene
        .receiver
        .wait_until("complete", |lines| events.is_subset(&ids(lines)));
    let requests = scene.receiver.requests();
    let repetitions = requests.len() - ids(&requests).len();
    println!("{} events, {repetitions} repeated deliveries", events.len());
    assert_eq!(ids(&requests), events);
    // A claim has at most eight attempts, and two were interrupted.
    assert!(repetitions <= 16, "{repetitions}");
}

fn ids(lines: &[Value]) -> BTreeSet<String> {
    let ids = lines.iter().filter_map(|line| line["id"].as_str());
    ids.map(ToOwned::to_owned).collect()
}
