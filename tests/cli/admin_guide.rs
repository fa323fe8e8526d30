//! The guide to protect the admin API, executed: each block of code is run where the data directory lies.

use crate::refusal::assert_refused;
use std::path::Path;
use std::process::Command;
use voight_tests::server::Server;
use voight_tests::{command, paths};

const GUIDE: &str = include_str!("../../docs/guides/protect-the-admin-api.md");
const FENCE: &str = "```sh\n";

/// The blocks of the guide, each with the name in the `<!-- run: NAME -->` before it.
fn blocks() -> Vec<(&'static str, &'static str)> {
    let block = |rest: &'static str| rest.split_once(&format!(" -->\n{FENCE}"));
    let named = GUIDE.split("<!-- run: ").skip(1).map(|rest| block(rest).expect("a block behind its name"));
    named.map(|(name, rest)| (name, rest.split_once("\n```").expect("the end of the block").0)).collect()
}

fn run(block: &str, folder: &Path) -> String {
    let binaries = paths::binary().parent().expect("the binary's folder").display().to_string();
    let mut shell = Command::new("bash");
    shell.args(["-eu", "-c", block]).current_dir(folder).env_remove("VOIGHT_ADMIN_TOKEN");
    shell.env("PATH", format!("{binaries}:{}", std::env::var("PATH").unwrap_or_default()));
    let output = shell.output().expect("bash starts");
    assert!(output.status.success(), "{block}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_guide_to_protect_the_admin_api_does_what_it_says() {
    let blocks = blocks();
    assert_eq!(blocks.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["probe", "tokens"]);
    assert_eq!(GUIDE.matches("\n```").count(), 2 * blocks.len(), "a block of the guide is not executed");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&folder.path().join("voight-data"));
    let probed = run(blocks[0].1, folder.path());
    assert!(probed.contains("ready"), "{probed}");

    let printed = run(blocks[1].1, folder.path());
    let secrets: Vec<_> = printed.split_whitespace().filter(|word| word.starts_with("vat_")).collect();
    assert!(secrets.len() == 2 && secrets[0] != secrets[1], "created and rotated, each shown once: {printed}");
    assert!(printed.contains("night shift") && printed.contains("operator"), "{printed}");
    for secret in secrets {
        let output = command::voight(server.data_dir()).env("VOIGHT_ADMIN_TOKEN", secret).args(["usage"]).output();
        assert_refused(&output.expect("the command"), 3, &["admin token", "revoked"]);
    }
}
