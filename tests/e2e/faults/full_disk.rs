//! Disk that is full while events are due: changes are rejected, and each event is delivered when there is space again.

use crate::webhooks::feed::{
    create_endpoint, last_event, read_feed, register, registered_context, text,
};
use crate::webhooks::tls_receiver::TlsReceiver;
use std::collections::BTreeSet;
use std::thread::sleep;
use std::time::Duration;
use voight_tests::disk::Disk;
use voight_tests::http;
use voight_tests::server::{Server, TestAccount};
use voight_tests::skip::skipped;
use voight_tests::test_name;

const MEBIBYTES: u64 = 72;
/// Free space when the disk is filled, in KiB.
const FREE_KIB: usize = 64;
/// Number of consecutive answers that shows a stable state.
const IN_A_ROW: usize = 20;
const ATTEMPTS: usize = 5_000;
const PAUSE: Duration = Duration::from_millis(5);
/// Duration of the fault.
const FULL_TIME: Duration = Duration::from_secs(3);
/// Maximum time until the events are delivered. It includes the lease of a claim that could not be concluded.
const MAX_DELIVERY_TIME: Duration = Duration::from_mins(2);

/// Registers contexts until answers with this status follow each other, and returns the ids of the registered contexts.
fn register_until(server: &Server, account: &TestAccount, status: u16) -> BTreeSet<String> {
    let agent = http::agent();
    let mut contexts = BTreeSet::new();
    let mut in_a_row = 0;
    for _ in 0..ATTEMPTS {
        let response = register(&agent, &server.url(), account).expect("the server answers");
        if response.status == 200 {
            contexts.insert(text(&response.json()["data"]["context_id"]));
        }
        in_a_row = if response.status == status {
            in_a_row + 1
        } else {
            0
        };
        if in_a_row == IN_A_ROW {
            return contexts;
        }
        sleep(PAUSE);
    }
    panic!("no {IN_A_ROW} answers with {status} in a row");
}

#[test]
fn full_disk_loses_no_event() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let disk = match Disk::mount(folder.path(), MEBIBYTES) {
        Ok(disk) => disk,
        Err(why) => return skipped(test_name!(), &why),
    };
    let receiver = TlsReceiver::start();
    let mut server = Server::start_with(&disk.path().join("data"), |command| {
        receiver.configure(command);
        command
            .env("VOIGHT__LIMITS__ENABLED", "false")
            .env("VOIGHT__STORE__RESERVED_FREE_MIB", "0");
    });
    let (account, _) = create_endpoint(&server, "acme", &receiver.url());
    let first_event = last_event(&server, &account) + 1;
    disk.fill(FREE_KIB);
    let mut contexts = register_until(&server, &account, 503);
    let delivered_count = receiver.delivery_counts().len();
    sleep(FULL_TIME);
    disk.free();
    contexts.extend(register_until(&server, &account, 200));
    let events = read_feed(&server, &account, first_event - 1);
    let registered_contexts: BTreeSet<_> = events.iter().filter_map(registered_context).collect();
    assert_eq!(registered_contexts, contexts);
    assert_eq!(events.len(), contexts.len(), "a context has two events");
    let ids = events.iter().map(|event| text(&event["id"])).collect();
    let delivery_time = receiver.wait_for(&ids, MAX_DELIVERY_TIME);
    println!(
        "{} events, {delivered_count} delivered while the disk was full, the others within {delivery_time:.1?}, {} repeated deliveries",
        ids.len(),
        receiver.repetitions()
    );
    assert!(receiver.delivery_counts().keys().eq(&ids));
    assert_eq!(server.stop(), Some(0), "{}", server.log());
}
