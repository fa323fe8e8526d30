//! Single use survives restarts: a crash and a new start with the real binary.

use crate::erase::check::ScriptedCheck;
use serde_json::{Value, json};
use voight_tests::http::Response;
use voight_tests::server::Server;

const ADDRESSES: [&str; 4] = [
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

/// Builds a press by a key after many others, whose events do not depend on the positions of targets.
fn by_keys(check: &ScriptedCheck) -> Value {
    let mut first = check.first_batch();
    first["pointer"] = json!([[6, 12_000, 0, 0, 0, 0, 0, 0, 0, 0, 3, 3, 1, -1, -1, 40, []]]);
    first["keys"] = (0..24)
        .map(|at| json!([if at == 0 { 6_000 } else { 150 + at * 37 % 90 }, 80 + at, 1]))
        .collect();
    first
}

#[track_caller]
fn assert_rejected(answer: &Response) {
    assert_eq!(
        (answer.status, answer.json()["error"]["code"].as_str()),
        (403, Some("CHECK_REFUSED")),
        "{}",
        answer.body
    );
}

#[test]
fn used_receipts_stay_used_after_a_crash() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data_dir = folder.path().join("data");
    let mut server = Server::start(&data_dir);
    let context = server.account("acme").context;
    let [used, begun, fresh, again] =
        ADDRESSES.map(|who| ScriptedCheck::open(&server, &context, who));
    used.run(&server, &by_keys(&used));
    let receipt = used.complete(&server);
    assert_eq!(receipt.status, 200, "{}", receipt.body);
    assert_eq!(begun.send(&server, &begun.first_batch()).status, 200);

    server.kill();
    let server = Server::start(&data_dir);
    assert_rejected(&used.send(&server, &by_keys(&used)));
    assert_eq!(
        used.complete(&server).body,
        receipt.body,
        "a lost receipt is the same one"
    );
    assert_rejected(&begun.send(&server, &begun.first_batch()));
    // The same keys for another visitor, in a new check.
    again.run(&server, &by_keys(&again));
    assert_rejected(&again.complete(&server));
    // Another visitor's own input is not rejected, by the same server and after the same delay.
    fresh.run(&server, &fresh.first_batch());
    assert_eq!(fresh.complete(&server).status, 200);
    let log = server.log();
    for reason in ["challenge_used", "batch_number", "duplicate"] {
        assert!(log.contains(reason), "the log should name {reason}:\n{log}");
    }
}
