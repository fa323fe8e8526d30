//! Admin socket: a socket left by a crashed server reveals no secret, and no running server is replaced.

use crate::cli::rejection::assert_rejected;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::Duration;
use voight_tests::server::Server;
use voight_tests::{command, http, ports};

const SOCKET: &str = "admin.sock";

/// Returns a data directory, and its temporary parent directory.
fn data_dir() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let data_dir = folder.path().join("data");
    (folder, data_dir)
}

#[test]
fn listener_on_the_freed_admin_port_receives_no_token() {
    let (_folder, data_dir) = data_dir();
    let public = ports::free();
    let admin = ports::free();
    let mut server = Server::start_on(&data_dir, public, admin, |_| {});
    server.account("acme");
    server.kill();
    let stranger = TcpListener::bind(("127.0.0.1", admin)).unwrap();
    let (report, received) = mpsc::channel();
    std::thread::spawn(move || {
        for mut peer in stranger.incoming().flatten() {
            peer.set_read_timeout(Some(Duration::from_millis(500)))
                .unwrap();
            let mut bytes = Vec::new();
            let _ = peer.read_to_end(&mut bytes);
            let _ = report.send(String::from_utf8_lossy(&bytes).into_owned());
        }
    });
    let usage = command::json(&data_dir, &["usage"]);
    assert_eq!(usage["clients"][0]["name"], "acme");
    let requests: Vec<_> =
        std::iter::from_fn(|| received.recv_timeout(Duration::from_secs(1)).ok()).collect();
    assert!(
        requests.is_empty(),
        "a foreign listener on the freed port received {requests:?}"
    );
}

#[test]
fn listener_without_the_token_receives_no_proof() {
    let (_folder, data_dir) = data_dir();
    command::init(&data_dir);
    command::json(&data_dir, &["client", "create", "acme"]);
    let stranger = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", stranger.local_addr().unwrap());
    let (report, received) = mpsc::channel();
    std::thread::spawn(move || {
        let nonce = "00".repeat(40);
        let proof = "00".repeat(32);
        let body = format!(
            r#"{{"success":true,"data":{{"listener_nonce":"{nonce}","proof":"{proof}"}}}}"#
        );
        for mut peer in stranger.incoming().flatten() {
            peer.set_read_timeout(Some(Duration::from_millis(500)))
                .unwrap();
            let mut bytes = Vec::new();
            let mut piece = [0; 4096];
            while let Ok(read @ 1..) = peer.read(&mut piece) {
                bytes.extend_from_slice(&piece[..read]);
            }
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            let _ = peer.write_all((head + &body).as_bytes());
            let _ = report.send(String::from_utf8_lossy(&bytes).into_owned());
        }
    });
    let usage = command::run(&data_dir, &["--server", &url, "usage"]);
    let requests: Vec<_> =
        std::iter::from_fn(|| received.recv_timeout(Duration::from_secs(1)).ok()).collect();
    let token = std::fs::read_to_string(data_dir.join("admin.token")).unwrap();
    let text = requests.concat();
    assert!(!text.is_empty());
    assert!(
        !text.contains(token.trim()) && !text.contains("authorization"),
        "the stranger received {requests:?}"
    );
    assert_rejected(&usage, 3, &["did not prove", "admin token", "--data-dir"]);
}

#[test]
fn failed_admin_attempts_are_logged_with_peer() {
    let (_folder, data_dir) = data_dir();
    let server = Server::start(&data_dir);
    let url = format!("{}/admin/v1/clients", server.admin_url());
    let answer = http::get(
        &http::agent(),
        &url,
        &[("authorization", "Bearer 0123456789abcdef")],
    )
    .unwrap();
    assert_eq!(answer.status, 401);
    let log = server.log();
    let line = log
        .lines()
        .find(|line| line.contains("failed authentication on the admin listener"))
        .unwrap_or_default();
    assert!(
        line.contains("127.0.0.1") && line.contains("the token is wrong"),
        "{log}"
    );
    assert!(!log.contains("0123456789abcdef"), "{log}");
}

#[test]
fn commands_reach_a_server_by_socket_only() {
    let (_folder, data_dir) = data_dir();
    let mut server = Server::start(&data_dir);
    let socket = std::fs::metadata(data_dir.join(SOCKET)).unwrap();
    assert!(socket.file_type().is_socket());
    assert_eq!(socket.permissions().mode() & 0o777, 0o600);
    assert!(!data_dir.join("admin.addr").exists());
    server.account("acme");
    // A server that fails to answer on one of its own ports would have been unready from the start.
    assert!(server.is_ready());
    assert_eq!(server.stop(), Some(0));
    assert!(
        !data_dir.join(SOCKET).exists(),
        "the socket outlives its server"
    );
}

#[test]
fn stale_socket_is_replaced_at_start() {
    let (_folder, data_dir) = data_dir();
    let mut server = Server::start(&data_dir);
    server.account("acme");
    let socket_identity = || {
        std::fs::metadata(data_dir.join(SOCKET))
            .map(|about| (about.ino(), about.ctime_nsec()))
            .unwrap()
    };
    let stale = socket_identity();
    server.kill();
    assert!(data_dir.join(SOCKET).exists(), "a crash removes nothing");
    let second_server = Server::start(&data_dir);
    assert_ne!(socket_identity(), stale);
    second_server.account("beta");
}

#[test]
fn socket_of_a_running_server_is_never_replaced() {
    let (_folder, data_dir) = data_dir();
    let first = Server::start_with(&data_dir, |command| {
        command.args(["--store", "memory:"]);
    });
    let inode = std::fs::metadata(data_dir.join(SOCKET)).unwrap().ino();
    let second = serve(&data_dir, "memory:");
    assert_rejected(&second, 5, &["admin.sock", "another server", "--data-dir"]);
    assert_eq!(
        std::fs::metadata(data_dir.join(SOCKET)).unwrap().ino(),
        inode
    );
    first.account("acme");
}

#[test]
fn file_at_the_socket_path_is_reported_unchanged() {
    let (_folder, data_dir) = data_dir();
    command::init(&data_dir);
    command::json(&data_dir, &["client", "create", "acme"]);
    std::fs::write(data_dir.join(SOCKET), "42").unwrap();
    assert_rejected(
        &serve(&data_dir, "memory:"),
        3,
        &["admin.sock", "not a socket"],
    );
    assert_eq!(std::fs::read(data_dir.join(SOCKET)).unwrap(), b"42");
}

#[test]
fn long_data_directory_path_works() {
    let folder = tempfile::tempdir().unwrap();
    let parent = folder.path().join("d".repeat(120));
    std::fs::create_dir(&parent).unwrap();
    let data_dir = parent.join("data");
    let mut server = Server::start(&data_dir);
    server.account("acme");
    assert_eq!(
        command::json(&data_dir, &["usage"])["clients"][0]["name"],
        "acme"
    );
    assert_eq!(server.stop(), Some(0));
    assert!(!data_dir.join(SOCKET).exists());
}

#[test]
fn socket_is_named_as_a_server_and_demands_the_token() {
    let (folder, data_dir) = data_dir();
    let server = Server::start(&data_dir);
    server.account("acme");
    let path = data_dir.join(SOCKET);
    let url = format!("unix:{}", path.display());
    let elsewhere = folder.path().join("elsewhere");
    let mut usage = command::voight(&elsewhere);
    usage.args(["--json", "--server", &url, "usage"]);
    usage.env(
        "VOIGHT_ADMIN_TOKEN",
        std::fs::read_to_string(data_dir.join("admin.token"))
            .unwrap()
            .trim(),
    );
    let usage = usage.output().unwrap();
    assert!(
        usage.status.success(),
        "{}",
        String::from_utf8_lossy(&usage.stderr)
    );
    let mut other_command = command::voight(&elsewhere);
    other_command
        .args(["--server", &url, "usage"])
        .env("VOIGHT_ADMIN_TOKEN", "0123456789abcdef0123456789abcdef");
    assert_rejected(
        &other_command.output().unwrap(),
        3,
        &["another admin token"],
    );
    let mut wrong = command::voight(&data_dir);
    wrong
        .arg("usage")
        .env("VOIGHT_ADMIN_TOKEN", "0123456789abcdef0123456789abcdef");
    assert_rejected(&wrong.output().unwrap(), 3, &["another admin token"]);
    // Probes need no token, as on the TCP listener.
    let mut stream = UnixStream::connect(&path).unwrap();
    stream
        .write_all(b"GET /readyz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let ready = http::get(
        &http::agent(),
        &format!("{}/readyz", server.admin_url()),
        &[],
    )
    .unwrap();
    assert_eq!(ready.status, 200);
}

/// Runs a server on `store` that is expected to end by itself.
fn serve(data_dir: &Path, store: &str) -> std::process::Output {
    let listen = || format!("127.0.0.1:{}", ports::free());
    let mut command = command::voight(data_dir);
    command.args([
        "--store",
        store,
        "serve",
        "--listen",
        &listen(),
        "--admin-listen",
        &listen(),
    ]);
    command.output().expect("the binary starts")
}
