//! Server that sends a truncated backup.

use crate::cli::rejection::{assert_rejected, tree};
use crate::store::fixture::{StoreFixture, text};
use std::fs;
use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread;
use voight_tests::{admin_listener, command};

const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// Truncation of a backup.
#[derive(Debug, Clone, Copy)]
enum Truncation {
    /// The connection ends within the response, as after a crash of the server.
    Connection,
    /// The response ends as if it were complete.
    Backup,
}

/// Answers like an admin listener, but sends only `dump`.
fn serve(dump: Vec<u8>, truncation: Truncation) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("its address");
    thread::spawn(move || {
        for stream in listener.incoming() {
            answer(&mut stream.expect("a connection"), &dump, truncation);
        }
    });
    address
}

fn answer(stream: &mut TcpStream, dump: &[u8], truncation: Truncation) {
    let Some(request) = admin_listener::request(stream, TOKEN) else {
        return;
    };
    let mut send = |bytes: &[u8]| stream.write_all(bytes).expect("the client reads");
    if request.contains("/store/backup") {
        send(b"HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n");
        send(format!("{:x}\r\n", dump.len()).as_bytes());
        send(dump);
        if matches!(truncation, Truncation::Backup) {
            send(b"\r\n0\r\n\r\n");
        }
    } else {
        let body = r#"{"success":true,"data":[]}"#;
        let length = body.len();
        send(
            format!(
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{body}"
            )
            .as_bytes(),
        );
    }
}

#[test]
fn interrupted_backup_is_removed() {
    let stage = StoreFixture::new();
    let (file, _) = stage.backup();
    let file_bytes = fs::read(file).unwrap();
    let working_dir = stage.path("here");
    fs::create_dir(&working_dir).unwrap();
    for truncation in [Truncation::Connection, Truncation::Backup] {
        for length in [5, file_bytes.len() / 2, file_bytes.len() - 1] {
            let server = serve(file_bytes[..length].to_vec(), truncation);
            let output = command::voight(&stage.path("elsewhere"))
                .env("VOIGHT_ADMIN_TOKEN", TOKEN)
                .args(["store", "backup", "--server", &format!("http://{server}")])
                .args(["--out", text(&working_dir.join("new.dump"))])
                .output()
                .unwrap();
            assert_rejected(&output, 1, &["aborted the backup"]);
            assert!(
                tree(&working_dir).is_empty(),
                "{truncation:?} after {length} bytes"
            );
        }
    }
}
