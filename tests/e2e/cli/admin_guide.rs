//! Guide to protect the admin API, executed: each block runs beside the data directory.

use crate::cli::rejection::assert_rejected;
use std::path::Path;
use voight_tests::server::Server;
use voight_tests::{command, guide};

const GUIDE: &str = include_str!("../../../docs/guides/protect-the-admin-api.md");

fn run(block: &str, folder: &Path) -> String {
    let mut shell = guide::shell(block);
    let output = shell
        .current_dir(folder)
        .env_remove("VOIGHT_ADMIN_TOKEN")
        .output()
        .expect("bash starts");
    assert!(
        output.status.success(),
        "{block}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn guide_to_protect_the_admin_api_is_executed() {
    let names = guide::names(GUIDE);
    assert_eq!(names, ["probe", "tokens"]);
    assert_eq!(
        GUIDE.matches("\n```").count(),
        2 * names.len(),
        "a block of the guide is not executed"
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("voight-data"));
    let health = run(guide::block(GUIDE, "probe"), folder.path());
    assert!(health.contains("ready"), "{health}");

    let token_output = run(guide::block(GUIDE, "tokens"), folder.path());
    let secrets: Vec<_> = token_output
        .split_whitespace()
        .filter(|word| word.starts_with("vat_"))
        .collect();
    assert!(
        secrets.len() == 2 && secrets[0] != secrets[1],
        "created and rotated, each shown once: {token_output}"
    );
    assert!(
        token_output.contains("night shift") && token_output.contains("operator"),
        "{token_output}"
    );
    for secret in secrets {
        let output = command::voight(server.data_dir())
            .env("VOIGHT_ADMIN_TOKEN", secret)
            .args(["usage"])
            .output();
        assert_rejected(
            &output.expect("the command"),
            3,
            &["admin token", "revoked"],
        );
    }
}
