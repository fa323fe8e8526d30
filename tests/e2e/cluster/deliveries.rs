//! Deliveries of events by one of two nodes.

use super::nodes::OnSchema;
use super::shared::wait_for_leadership;
use crate::webhooks::feed::{create_endpoint, last_event, read_feed, text};
use crate::webhooks::tls_receiver::TlsReceiver;
use std::collections::BTreeSet;
use std::time::Duration;
use voight_tests::server::{Server, TestAccount};
use voight_tests::test_name;
use voight_tests::tier::is_full_or_skipped;

/// Number of registered contexts.
const CONTEXTS: usize = 200;
/// Maximum number of attempts of one claim.
const MAX_ATTEMPTS: usize = 8;
/// Maximum time until the events are delivered. After the loss of the leader, its lease and that of its claim end before.
const MAX_DELIVERY_TIME: Duration = Duration::from_mins(2);

/// Two nodes, of which the first one delivers, and a client with an endpoint.
struct Scene {
    leader: Server,
    follower: Server,
    receiver: TlsReceiver,
    account: TestAccount,
    first_event: u64,
}

impl Scene {
    fn start(stage: &OnSchema) -> Self {
        let receiver = TlsReceiver::start();
        let start = |name| {
            Server::start_with(&stage.nodes.data_dir(name), |command| {
                stage.nodes.settle(command);
                receiver.configure(command);
            })
        };
        let leader = start("a");
        wait_for_leadership(&leader);
        let follower = start("b");
        let (account, _) = create_endpoint(&follower, "acme", &receiver.url());
        Self {
            first_event: last_event(&follower, &account) + 1,
            leader,
            follower,
            receiver,
            account,
        }
    }

    /// Registers contexts at the node that does not deliver.
    fn register_contexts(&self, count: usize) {
        for _ in 0..count {
            self.follower.register(&self.account.key, "quest");
        }
    }

    /// Waits until every event is delivered, and returns the time that it took.
    fn wait_for_deliveries(&self) -> Duration {
        let events = read_feed(&self.follower, &self.account, self.first_event - 1);
        let ids: BTreeSet<_> = events.iter().map(|event| text(&event["id"])).collect();
        assert_eq!(ids.len(), CONTEXTS);
        let delivery_time = self.receiver.wait_for(&ids, MAX_DELIVERY_TIME);
        assert!(self.receiver.delivery_counts().keys().eq(&ids));
        delivery_time
    }
}

#[test]
fn two_nodes_deliver_each_event_once() {
    let stage = OnSchema::new("deliveries");
    let scene = Scene::start(&stage);
    scene.register_contexts(CONTEXTS);
    scene.wait_for_deliveries();
    assert_eq!(scene.receiver.repetitions(), 0);
}

#[test]
fn killed_leader_loses_no_event() {
    if !is_full_or_skipped(test_name!()) {
        return;
    }
    let stage = OnSchema::new("killed_leader");
    let mut scene = Scene::start(&stage);
    scene.register_contexts(CONTEXTS / 2);
    assert!(!scene.receiver.delivery_counts().is_empty());
    scene.leader.kill();
    scene.register_contexts(CONTEXTS / 2);
    let delivery_time = scene.wait_for_deliveries();
    let repetitions = scene.receiver.repetitions();
    println!(
        "all events were delivered within {delivery_time:.1?} after the loss of the leader, {repetitions} twice"
    );
    assert!(repetitions <= MAX_ATTEMPTS, "{repetitions}");
}
