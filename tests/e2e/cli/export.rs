//! Command `voight usage export`.

use crate::cli::rejection::{assert_rejected, tree};
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::Output;
use std::thread;
use voight_tests::server::Server;
use voight_tests::{admin_listener, command};

const ADDRESS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// Columns of the CSV format.
const COLUMNS: [&str; 8] = [
    "seq",
    "at",
    "context_id",
    "key_id",
    "free",
    "is_bot",
    "score",
    "commitment",
];

fn export(data_dir: &Path, arguments: &[&str]) -> Output {
    command::run(
        data_dir,
        &[&["usage", "export", "--client", "acme"], arguments].concat(),
    )
}

fn text(output: &Output) -> String {
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout.clone()).expect("text")
}

#[test]
fn export_is_equal_with_and_without_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let mut server = Server::start(&data_dir);
    let account = server.account("acme");
    for _ in 0..3 {
        assert_eq!(server.look_up(&account, ADDRESS).status, 200);
    }
    let running = text(&export(&data_dir, &[]));
    assert_eq!(server.stop(), Some(0), "{}", server.log());
    assert_eq!(text(&export(&data_dir, &[])), running);

    let rows: Vec<Vec<_>> = running
        .split_terminator("\r\n")
        .map(|line| line.split(',').collect())
        .collect();
    assert_eq!(rows[0], COLUMNS);
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[3][..1], ["3"]);
    assert_eq!(
        rows[3][2..7],
        [
            account.context.as_str(),
            &account.key_id,
            "true",
            "false",
            "0"
        ]
    );
    assert!(
        !running
            .to_lowercase()
            .contains(&ADDRESS[2..].to_lowercase())
    );

    let events = text(&export(&data_dir, &["--format", "cloudevents"]));
    let last: serde_json::Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    assert_eq!(
        (events.lines().count(), &last["data"]["commitment"]),
        (3, &rows[3][7].into())
    );
    let batch: serde_json::Value =
        serde_json::from_str(&text(&export(&data_dir, &["--format", "lago"]))).unwrap();
    assert_eq!(batch["events"][2]["transaction_id"], last["id"]);
    assert_eq!(
        text(&export(&data_dir, &["--format", "cloudevents", "--test"])),
        ""
    );
    assert_eq!(
        text(&export(
            &data_dir,
            &["--from", "2020-01-01", "--to", "2020-02-01"]
        ))
        .lines()
        .count(),
        1
    );
}

#[test]
fn export_file_is_complete_and_never_overwrites() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    command::init(&data_dir);
    command::json(&data_dir, &["client", "create", "acme"]);
    let out = folder.path().join("usage.csv");
    let out_text = out.to_str().unwrap();
    let report = command::json(
        &data_dir,
        &["usage", "export", "--client", "acme", "--out", out_text],
    );
    let file_text = std::fs::read_to_string(&out).unwrap();
    assert_eq!(
        report,
        serde_json::json!({ "file": out_text, "format": "csv", "bytes": file_text.len() })
    );
    std::fs::write(&out, "mine").unwrap();
    assert_rejected(
        &export(&data_dir, &["--out", out_text]),
        1,
        &["usage.csv", "already exists"],
    );
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "mine");
}

#[test]
fn failed_export_reports_the_cause_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    command::init(&data_dir);
    command::json(&data_dir, &["client", "create", "acme"]);
    let out = folder.path().join("out").join("usage.csv");
    std::fs::create_dir(out.parent().unwrap()).unwrap();
    let into = ["--out", out.to_str().unwrap()];
    for (arguments, code, words) in [
        (
            &["--from", "yesterday"][..],
            2,
            &["from is neither a date such as 2026-11-01"][..],
        ),
        (
            &["--from", "2026-11-02", "--to", "2026-11-01"],
            2,
            &["to is not after from"],
        ),
        (
            &["--from", "2025-01-01", "--to", "2027-01-01"],
            2,
            &["400 days"],
        ),
    ] {
        assert_rejected(
            &export(&data_dir, &[arguments, &into].concat()),
            code,
            words,
        );
    }
    let output = command::run(
        &data_dir,
        &[
            "usage",
            "export",
            "--client",
            "missing-client",
            into[0],
            into[1],
        ],
    );
    assert_rejected(&output, 4, &["missing-client"]);
    let format = export(&data_dir, &["--format", "xml", into[0], into[1]]);
    assert_eq!(format.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&format.stderr).contains("csv, cloudevents, lago"));
    assert!(tree(out.parent().unwrap()).is_empty());
}

#[test]
fn interrupted_export_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let out = folder.path().join("usage.csv");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        for answer in [
            "HTTP/1.1 200 OK\r\ncontent-length: 26\r\nconnection: close\r\n\r\n{\"success\":true,\"data\":[]}",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nseq,a\r\n",
        ] {
            let mut stream = loop {
                let (mut stream, _) = listener.accept().unwrap();
                if admin_listener::request(&mut stream, "0123456789abcdef").is_some() {
                    break stream;
                }
            };
            stream.write_all(answer.as_bytes()).unwrap();
        }
    });
    let broken = command::voight(&data_dir)
        .env("VOIGHT_ADMIN_TOKEN", "0123456789abcdef")
        .args([
            "usage",
            "export",
            "--client",
            "acme",
            "--server",
            &url,
            "--out",
            out.to_str().unwrap(),
        ])
        .output()
        .unwrap();
    server.join().unwrap();
    assert_rejected(&broken, 1, &["aborted the export", "incomplete"]);
    assert!(tree(folder.path()).is_empty());
}
