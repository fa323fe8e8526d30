//! Events and webhook endpoints over a store that no server uses.

use super::{create_store_with_key, run};
use crate::exit::Exit;

#[test]
fn events_are_printed_over_a_store_without_a_server() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path();
    create_store_with_key(dir);
    for line in [
        &["events", "tail"][..],
        &["events", "tail", "--client", "acme", "--limit", "1"],
        &[
            "--json",
            "events",
            "tail",
            "--types",
            "key.issued,key.revoked",
        ],
        &["events", "tail", "--since", "2020-01-01"],
    ] {
        run(dir, line).unwrap_or_else(|failure| panic!("{line:?}: {failure}"));
    }
    let unknown = run(dir, &["events", "tail", "--client", "umbrella"]).unwrap_err();
    assert_eq!(unknown.exit, Exit::NotFound, "{unknown}");
    // A command that follows events would keep a server from opening the store.
    let follow = run(dir, &["events", "tail", "--follow"]).unwrap_err();
    assert!(
        follow.exit == Exit::Unreachable && follow.message.contains("no server is running"),
        "{follow}"
    );
}

#[test]
fn webhook_commands_are_rejected_with_their_remedy() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path();
    create_store_with_key(dir);
    let unknown = run(dir, &["webhook", "list", "umbrella"]).unwrap_err();
    assert!(
        unknown.exit == Exit::NotFound && unknown.message.contains("voight client list"),
        "{unknown}"
    );
    let url = "https://hooks.example/";
    let disabled = run(dir, &["webhook", "create", "acme", "--url", url]).unwrap_err();
    assert!(disabled.message.contains("outbound"), "{disabled}");
    let unconfirmed = run(dir, &["webhook", "delete", "acme", "01k0ab3c"]).unwrap_err();
    assert!(
        unconfirmed.exit == Exit::Usage && unconfirmed.message.contains("--yes"),
        "{unconfirmed}"
    );
}
