//! The cluster is started as its README says, in a copy of it; a node and the primary die, and what the README shows is shown.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use voight_tests::clone::Clone;
use voight_tests::skip::skipped;
use voight_tests::{paths, ports};

const HAPROXY: &str = "/usr/sbin/haproxy";
/// The port of the README, and how many follow it that are used, too.
const PORT: &str = "8080";
const PORTS: u16 = 22;

/// The blocks of a document of this kind, in their order; those of `sh` only where they are marked to be run.
fn blocks<'a>(readme: &'a str, kind: &str) -> Vec<&'a str> {
    let fence = if kind == "sh" { " -->\n```sh\n".to_owned() } else { format!("```{kind}\n") };
    readme.split(&fence).skip(1).filter_map(|rest| rest.split("\n```").next()).collect()
}

/// A port after which the others are free, too.
fn port() -> u16 {
    let is_free = |port: u16| TcpListener::bind(("127.0.0.1", port)).is_ok();
    let found = (0..100).map(|_| ports::free()).find(|first| (1..PORTS).all(|next| is_free(first + next)));
    found.expect("ports that follow each other")
}

#[test]
fn cluster() {
    if !Path::new(HAPROXY).exists() {
        return skipped("cluster", "HAProxy is missing; `cargo xtask test --only setup` installs it");
    }
    let clone = Clone::of_folders(&["examples/cluster"]);
    // PostgreSQL may run as another user.
    fs::set_permissions(clone.path(), fs::Permissions::from_mode(0o755)).expect("a folder of ours");
    let folder = clone.path().join("examples/cluster");
    let readme = fs::read_to_string(folder.join("README.md")).expect("a README");
    let (commands, shown) = (blocks(&readme, "sh"), blocks(&readme, "text"));
    assert!(commands.len() >= 7 && shown.len() == 2, "the README was not understood");
    let port = port().to_string();
    // Whatever goes wrong, nothing is left running.
    let script = format!("trap './cluster.sh stop > /dev/null 2>&1 || true' EXIT\n{}", commands.join("\n"));
    let binaries = paths::binary().parent().expect("the binary's folder").display().to_string();
    let path = format!("{binaries}:/usr/sbin:{}", std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("bash");
    shell.args(["-eu", "-c", &script.replace(PORT, &port)]).current_dir(&folder);
    let output = shell.env("CLUSTER_PORT", &port).env("PATH", path).output().expect("bash runs");
    let (said, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{said}\n{complained}");
    for text in shown {
        assert!(said.contains(text), "the README shows this:\n{text}\nand what was said is:\n{said}\n{complained}");
    }
    assert!(!folder.join("cluster.run").exists(), "something is left behind");
}
