//! Cluster, started as in its README in a copy of it; a node and the primary die, and the output is as documented.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use voight_tests::clone::Clone;
use voight_tests::skip::skipped;
use voight_tests::{guide, ports};

const HAPROXY: &str = "/usr/sbin/haproxy";
/// Port of the README, and the number of used ports from it on.
const PORT: &str = "8080";
const PORTS: u16 = 22;

/// Returns the blocks of a document of this kind, in their order; those of `sh` only if marked to be run.
fn blocks<'a>(readme: &'a str, kind: &str) -> Vec<&'a str> {
    let fence = if kind == "sh" {
        " -->\n```sh\n".to_owned()
    } else {
        format!("```{kind}\n")
    };
    readme
        .split(&fence)
        .skip(1)
        .filter_map(|block| block.split("\n```").next())
        .collect()
}

/// Returns a free port that is followed by other free ports.
fn port() -> u16 {
    let is_free = |port: u16| TcpListener::bind(("127.0.0.1", port)).is_ok();
    let first_port = (0..100)
        .map(|_| ports::free())
        .find(|first| (1..PORTS).all(|next| is_free(first + next)));
    first_port.expect("ports that follow each other")
}

#[test]
fn cluster() {
    if !Path::new(HAPROXY).exists() {
        return skipped(
            "cluster",
            "HAProxy is missing; `cargo xtask test --only setup` installs it",
        );
    }
    let clone = Clone::of_folders(&["examples/cluster"]);
    // PostgreSQL may run as another user.
    fs::set_permissions(clone.path(), fs::Permissions::from_mode(0o755))
        .expect("the directory can be made accessible");
    let folder = clone.path().join("examples/cluster");
    let readme = fs::read_to_string(folder.join("README.md")).expect("a README");
    let commands = blocks(&readme, "sh");
    let blocks_of_readme = blocks(&readme, "text");
    assert!(
        commands.len() >= 7 && blocks_of_readme.len() == 2,
        "the README has too few commands or outputs"
    );
    let port = port().to_string();
    // The trap stops all processes after a failure.
    let script = format!(
        "trap './cluster.sh stop > /dev/null 2>&1 || true' EXIT\n{}",
        commands.join("\n")
    );
    let path = format!("{}:/usr/sbin", guide::search_path());
    let mut shell = guide::shell(&script.replace(PORT, &port));
    shell.current_dir(&folder);
    let output = shell
        .env("CLUSTER_PORT", &port)
        .env("PATH", path)
        .output()
        .expect("bash runs");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stdout}\n{stderr}");
    for text in blocks_of_readme {
        assert!(
            stdout.contains(text),
            "the README shows this:\n{text}\nthe output is:\n{stdout}\n{stderr}"
        );
    }
    assert!(
        !folder.join("cluster.run").exists(),
        "a process or file remains"
    );
}
