//! Hard cap: never exceeded, despite concurrent clients and crashes of the server.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use voight_tests::command;
use voight_tests::http::{self, QUOTA_EXCEEDED};
use voight_tests::server::{Server, TestAccount};

const CONNECTIONS: u64 = 64;
const CAP: u64 = 500;
/// Lookups of each connection before and after the server is killed: together above the cap, alone below it.
const EACH: u64 = 6;

/// Returns the number of answered lookups of 64 connections; the others met the cap.
fn look_up_status(server: &Server, account: &TestAccount) -> u64 {
    let answer_count = AtomicU64::new(0);
    let url = format!(
        "{}/api/v1/users/eoa?eoa_address=0x{}&context_id={}",
        server.url(),
        "1".repeat(40),
        account.context
    );
    let connection = || {
        let agent = http::agent();
        for _ in 0..EACH {
            let response = http::get(&agent, &url, &[("x-api-key", &account.key)])
                .expect("the server answers");
            match response.status {
                200 => drop(answer_count.fetch_add(1, Ordering::Relaxed)),
                _ => response.assert_error(QUOTA_EXCEEDED),
            }
        }
    };
    thread::scope(|scope| (0..CONNECTIONS).for_each(|_| drop(scope.spawn(connection))));
    answer_count.into_inner()
}

fn start(data_dir: &std::path::Path) -> Server {
    Server::start_with(data_dir, |command| {
        command.env("VOIGHT__LIMITS__ENABLED", "false");
    })
}

#[test]
fn cap_is_exact_with_64_connections_and_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let mut server = start(&data_dir);
    let account = server.account("acme");
    command::json(&data_dir, &["client", "cap", "acme", &CAP.to_string()]);
    let count_before = look_up_status(&server, &account);
    assert_eq!(
        count_before,
        CONNECTIONS * EACH,
        "the cap is not reached yet"
    );
    server.kill();
    let server = start(&data_dir);
    let count_after = look_up_status(&server, &account);
    assert_eq!(count_before + count_after, CAP);
    assert_eq!(
        command::json(&data_dir, &["usage"])["clients"][0]["billable"],
        CAP
    );
    command::json(&data_dir, &["client", "cap", "acme", "--clear"]);
    assert_eq!(
        server
            .look_up(&account, &format!("0x{}", "1".repeat(40)))
            .status,
        200
    );
}

#[test]
fn money_cap_rejects_the_lookup_above_it() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let server = start(&data_dir);
    let account = server.account("acme");
    command::json(&data_dir, &["client", "cap", "acme", "--money", "0.00"]);
    let answer_count: u64 = (0..3).map(|_| look_up_status(&server, &account)).sum();
    // The free lookups, and two at 0.002, which add up to less than half a cent.
    assert_eq!(answer_count, 1_002);
    let draft = command::json(&data_dir, &["invoice", "preview", "--client", "acme"]);
    assert_eq!(
        (&draft["charged"], &draft["total"]["minor"]),
        (&2.into(), &0.into())
    );
}
