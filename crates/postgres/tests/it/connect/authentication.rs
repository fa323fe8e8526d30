//! Authentication methods, and which of them a password is sent by.

use crate::common::open;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::net::UnixListener;
use std::thread::{self, JoinHandle};
use voight_postgres::OpenError;
use voight_tests::postgres::Cluster;

/// Roles, named after their authentication methods.
const LOGINS: &str = "\
host all md5_role      127.0.0.1/32 md5
host all password_role 127.0.0.1/32 password
host all trust_role    127.0.0.1/32 trust
host all all           127.0.0.1/32 scram-sha-256
";
const SECRET: &str = "correct-horse";

fn cluster(folder: &tempfile::TempDir) -> Cluster {
    let place = folder.path().join("cluster");
    fs::create_dir(&place).expect("a folder");
    let cluster = Cluster::start(&place).expect("a private server");
    for (role, encryption) in [
        ("md5", "md5"),
        ("password", "scram-sha-256"),
        ("trust", "scram-sha-256"),
        ("scram", "scram-sha-256"),
    ] {
        let create = format!("CREATE ROLE {role}_role SUPERUSER LOGIN PASSWORD '{SECRET}'");
        cluster
            .run(&format!(
                "SET password_encryption = '{encryption}'; {create}"
            ))
            .expect("a role");
        cluster
            .run(&format!("CREATE DATABASE {role}_store OWNER {role}_role"))
            .expect("a database");
    }
    cluster.write_file("pg_hba.conf", LOGINS).expect("a file");
    cluster.reload().expect("a reload");
    cluster
}

#[test]
fn unsafe_method_must_be_allowed_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let cluster = cluster(&folder);
    let attempt = |role: &str, parameters: &str| {
        let url = format!(
            "postgres://{role}_role:{SECRET}@{}/{role}_store{parameters}",
            cluster.address()
        );
        open(&url).map(drop)
    };
    for (role, method) in [("md5", "md5"), ("password", "password")] {
        let error = attempt(role, "").expect_err("a method that gives the password away");
        assert!(matches!(error, OpenError::RejectedMethod { .. }), "{error}");
        let text = error.to_string();
        assert!(
            text.contains(&format!("require_auth=scram-sha-256,{method}"))
                && !text.contains(SECRET),
            "{text}"
        );
        assert!(
            attempt(role, "?require_auth=scram-sha-256").is_err(),
            "{role}"
        );
        assert_eq!(
            attempt(role, &format!("?require_auth=scram-sha-256,{method}")),
            Ok(()),
            "{role}"
        );
    }
    assert_eq!(attempt("scram", ""), Ok(()));
    let error = attempt("scram", "?require_auth=md5").expect_err("another method than those named");
    assert!(error.to_string().contains("scram-sha-256"), "{error}");
}

#[test]
fn required_method_rejects_trusting_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let cluster = cluster(&folder);
    let url = format!(
        "postgres://trust_role:{SECRET}@{}/trust_store",
        cluster.address()
    );
    assert!(
        open(&url).is_ok(),
        "by default a server may know its client by other means"
    );
    let error = open(&format!("{url}?require_auth=scram-sha-256"))
        .err()
        .expect("a server that asks for nothing");
    assert!(
        error.to_string().contains("require_auth") && error.to_string().contains("none"),
        "{error}"
    );
}

/// Bytes of an impostor after the first message: it rejects TLS and requests authentication.
const CLEAR_TEXT: &[u8] = &[b'R', 0, 0, 0, 8, 0, 0, 0, 3];
const MD5: &[u8] = &[b'R', 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4];

/// Acts as a server that requests the password; returns everything that the client sends afterwards.
fn impostor(
    mut client: impl Read + Write,
    request: &[u8],
    has_encryption_request: bool,
) -> Vec<u8> {
    let message = |client: &mut dyn Read| {
        let mut length = [0; 4];
        client.read_exact(&mut length).expect("a length");
        let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
        client.read_exact(&mut body).expect("a body");
    };
    if has_encryption_request {
        message(&mut client);
        client.write_all(b"N").expect("an answer");
    }
    message(&mut client);
    for byte in request {
        // Split into chunks, as a network may deliver the bytes. The client may close the connection before the last one.
        if client.write_all(&[*byte]).is_err() {
            break;
        }
    }
    let mut received_bytes = Vec::new();
    let _ = client.read_to_end(&mut received_bytes);
    received_bytes
}

#[test]
fn impostor_gets_no_password() {
    for (request, parameters) in [
        (CLEAR_TEXT, "?sslmode=disable"),
        (CLEAR_TEXT, "?sslmode=prefer"),
        (MD5, "?sslmode=disable"),
        (MD5, "?sslmode=prefer"),
    ] {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let has_encryption_request = parameters.contains("prefer");
        let server: JoinHandle<Vec<u8>> = thread::spawn(move || {
            impostor(
                listener.accept().expect("a client").0,
                request,
                has_encryption_request,
            )
        });
        let error = open(&format!(
            "postgres://u:{SECRET}@127.0.0.1:{port}/d{parameters}"
        ))
        .err()
        .expect("an impostor");
        assert!(matches!(error, OpenError::RejectedMethod { .. }), "{error}");
        assert_eq!(
            server.join().expect("no panic"),
            b"",
            "the client has sent something {parameters}"
        );
    }
}

#[test]
fn impostor_at_a_socket_gets_no_password() {
    let folder = tempfile::tempdir().expect("a folder");
    let listener = UnixListener::bind(folder.path().join(".s.PGSQL.5432")).expect("a socket");
    let server =
        thread::spawn(move || impostor(listener.accept().expect("a client").0, CLEAR_TEXT, false));
    let error = open(&format!(
        "postgres://u:{SECRET}@/d?host={}",
        folder.path().display()
    ))
    .err()
    .expect("an impostor");
    assert!(matches!(error, OpenError::RejectedMethod { .. }), "{error}");
    assert_eq!(server.join().expect("no panic"), b"");
}
