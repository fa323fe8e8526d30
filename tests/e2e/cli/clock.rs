//! Clock guard with the wall clock of the machine, which is correct.

use crate::cli::rejection::{assert_rejected, tree};
use voight_tests::command;
use voight_tests::server::Server;

#[test]
fn trusted_clock_cannot_be_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let accept = || {
        command::run(
            &data_dir,
            &["doctor", "--acknowledge-clock", "--reason", "to be sure"],
        )
    };
    assert_rejected(&accept(), 4, &["no installation", "--data-dir"]);
    assert!(tree(folder.path()).is_empty());
    command::init(&data_dir);
    command::json(&data_dir, &["client", "create", "acme"]);
    assert_rejected(&accept(), 1, &["nothing to acknowledge"]);
    let server = Server::start(&data_dir);
    assert_eq!(
        server
            .look_up(
                &server.key_and_context("acme", &[]),
                &format!("0x{:040x}", 7)
            )
            .status,
        200
    );
    assert_rejected(&accept(), 1, &["nothing to acknowledge"]);
    let report = command::json(&data_dir, &["doctor"]);
    let clocks: Vec<_> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["check"] == "clock")
        .collect();
    assert_eq!(clocks.len(), 1, "{report}");
    assert_eq!(clocks[0]["status"], "ok", "{report}");
}
