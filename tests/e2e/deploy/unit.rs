//! Unit of systemd, and the messages that the service sends to its manager.

use std::fs;
use std::io;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use voight_tests::server::Server;
use voight_tests::{paths, ports};

/// Unit of the packages, and template unit of the nodes of a cluster.
const UNITS: [&str; 2] = [
    "crates/app/packaging/voight.service",
    "examples/cluster/systemd/voight@.service",
];
/// Highest exposure of a unit that `systemd-analyze security` may compute, in tenths.
const MAX_EXPOSURE: &str = "15";

/// Returns the directives of a unit from its first restriction to the end of its section.
fn restrictions(unit: &Path) -> Vec<String> {
    let text = fs::read_to_string(unit).expect("a unit");
    let lines = text
        .lines()
        .skip_while(|line| *line != "NoNewPrivileges=yes")
        .take_while(|line| *line != "[Install]");
    lines
        .map(str::to_owned)
        .filter(|line| !line.is_empty())
        .collect()
}

/// Receives one message of the service.
fn receive(manager: &UnixDatagram) -> io::Result<String> {
    let mut message = [0; 256];
    let length = manager.recv(&mut message)?;
    Ok(String::from_utf8_lossy(&message[..length])
        .trim()
        .to_owned())
}

#[test]
fn units_are_hardened_alike() {
    let units = UNITS.map(|unit| paths::repository().join(unit));
    for unit in &units {
        let mut analyze = Command::new("systemd-analyze");
        analyze
            .args([
                "security",
                "--offline=true",
                "--no-pager",
                "--threshold",
                MAX_EXPOSURE,
            ])
            .arg(unit);
        let output = analyze.output().expect("systemd-analyze starts");
        assert!(
            output.status.success(),
            "{}: {}",
            unit.display(),
            String::from_utf8_lossy(&output.stdout)
        );
    }
    let [packaged, node] = units.map(|unit| restrictions(&unit));
    assert!(packaged.len() > 20, "{packaged:?}");
    assert_eq!(node, packaged);
}

#[test]
fn service_manager_is_notified() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("notify");
    let manager = UnixDatagram::bind(&path).expect("a socket");
    manager
        .set_read_timeout(Some(Duration::from_secs(10)))
        .expect("a timeout");
    let data_dir = folder.path().join("data");
    let mut server = Server::spawn_on(&data_dir, ports::free(), ports::free(), |command| {
        command
            .env("NOTIFY_SOCKET", &path)
            .env("WATCHDOG_USEC", "400000");
    });
    let next = || receive(&manager).expect("a message in time");
    assert_eq!(next(), "READY=1");
    assert!(
        server.is_ready(),
        "the service reports readiness only when it serves"
    );
    assert_eq!([next(), next(), next()], ["WATCHDOG=1"; 3]);
    assert_eq!(server.stop(), Some(0));
    manager.set_nonblocking(true).expect("a socket");
    let messages: Vec<_> = std::iter::from_fn(|| receive(&manager).ok()).collect();
    assert!(messages.contains(&"STOPPING=1".to_owned()), "{messages:?}");
}
