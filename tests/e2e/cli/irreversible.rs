//! Irreversible commands without a terminal and without `--yes`.

use crate::cli::rejection::{assert_rejected, tree};
use voight_tests::command;
use voight_tests::server::Server;

const WHO: &str = "0x1111111111111111111111111111111111111111";

#[test]
fn irreversible_acts_require_confirmation() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let mut server = Server::start(&data_dir);
    let account = server.account("acme");
    command::json(
        &data_dir,
        &[
            "admin", "token", "create", "--name", "ana", "--role", "analyst",
        ],
    );
    let acts: [&[&str]; 8] = [
        &["client", "close", "acme"],
        &["erase", "--address", WHO, "--reason", "asked"],
        &["context", "archive", &account.context],
        &["admin", "token", "revoke", "ana"],
        &["invoice", "mark-paid", "acme-1"],
        &["invoice", "void", "acme-1", "--reason", "x"],
        &["invoice", "write-off", "acme-1"],
        &["user", "remove", "ana"],
    ];
    let audit_log = || command::json(&data_dir, &["audit", "log"]);
    let log = audit_log();
    for act in acts {
        assert_rejected(
            &command::run(&data_dir, act),
            2,
            &["nothing was done", "cannot be undone", "--yes"],
        );
    }
    assert_eq!(audit_log(), log, "with a server");
    assert_eq!(server.stop(), Some(0), "{}", server.log());
    let tree_before = tree(&data_dir);
    for act in acts {
        assert_rejected(
            &command::run(&data_dir, act),
            2,
            &["nothing was done", "cannot be undone", "--yes"],
        );
    }
    assert!(tree(&data_dir) == tree_before, "without a server");
    command::json(
        &data_dir,
        &["erase", "--address", WHO, "--reason", "asked", "--dry-run"],
    );
    for act in acts.iter().take(4) {
        command::json(&data_dir, &[*act, &["--yes"]].concat());
    }
}
