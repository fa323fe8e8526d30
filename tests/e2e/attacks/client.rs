//! Attacks by a client with an API key: uploads, downloads and lookups of the sandbox.
#![expect(
    clippy::disallowed_methods,
    reason = "the time of an answer is what is measured"
)]

use super::scene::{Scene, is_possible};
use super::stranger::{RawAnswer, Stranger, ask, network};
use super::{NETWORKS, TIMES, patient};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::fs;
use std::io::Write;
use std::thread;
use std::time::{Duration, Instant};
use voight_tests::server::TestAccount;
use voight_tests::test_name;
use voight_tests::{http, tier};

/// Maximum number of temporary files of a client, and of their bytes.
const MAX_FILES: usize = 64;
const MAX_BYTES: u64 = 512 << 20;
/// Maximum time of a read of usage beside an attack.
const PROMPT: Duration = Duration::from_secs(10);

/// Temporary files of the server.
#[derive(Debug)]
struct TemporaryFiles {
    count: usize,
    bytes: u64,
}

impl TemporaryFiles {
    /// Measures the open files in the data directory that have no name.
    fn measure(scene: &Scene) -> Self {
        let mut files = Self { count: 0, bytes: 0 };
        let descriptors =
            fs::read_dir(format!("/proc/{}/fd", scene.server.pid())).expect("the server runs");
        for descriptor in descriptors.flatten() {
            let target = fs::read_link(descriptor.path()).unwrap_or_default();
            if target.starts_with(scene.server.data_dir())
                && target.to_string_lossy().ends_with("(deleted)")
            {
                files.count += 1;
                files.bytes += fs::metadata(descriptor.path()).map_or(0, |file| file.len());
            }
        }
        files
    }
}

/// Creates a snapshot for an upload, and returns its path.
fn snapshot(scene: &Scene, account: &TestAccount) -> String {
    let body = json!({"context_id": account.context, "source": "upload"}).to_string();
    let answer = send(
        scene,
        account,
        "POST",
        "/api/v1/snapshots",
        "application/json",
        body.as_bytes(),
    );
    assert_eq!(answer.status, 200, "{}", answer.body);
    format!(
        "/api/v1/snapshots/{}",
        answer.json()["data"]["id"].as_str().expect("an id")
    )
}

fn send(
    scene: &Scene,
    account: &TestAccount,
    method: &str,
    path: &str,
    media_type: &str,
    body: &[u8],
) -> http::Response {
    let headers = [
        ("x-api-key", account.key.as_str()),
        ("content-type", media_type),
    ];
    let url = format!("{}{path}", scene.server.url());
    match method {
        "GET" => http::get(&http::agent(), &url, &headers),
        "PUT" => http::put(&http::agent(), &url, &headers, body),
        _ => http::post(&http::agent(), &url, &headers, body),
    }
    .expect("the server answers")
}

/// Returns the head of an upload of `length` bytes.
fn upload_head(account: &TestAccount, path: &str, length: usize, headers: &str) -> String {
    format!(
        "PUT {path}/addresses HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: {}\r\ncontent-type: text/csv\r\n\
         {headers}content-length: {length}\r\n\r\n",
        account.key
    )
}

fn address(number: usize) -> String {
    format!("0x{number:040x}")
}

/// Reads usage and exports of the unaffected client, which must be answered promptly.
fn assert_scans_are_prompt(scene: &Scene) {
    for path in ["/api/v1/usage", "/api/v1/usage/export?format=csv"] {
        let since = Instant::now();
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: {}\r\n\r\n",
            scene.account.key
        );
        let answer = ask(network(2), scene.port(), &request).expect("an answer");
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        assert!(
            since.elapsed() < PROMPT,
            "{path} took {:?}",
            since.elapsed()
        );
    }
}

#[test]
fn uploads_of_one_client_have_few_temporary_files() {
    let uploads = tier::volume(1, TIMES) * 2_770;
    if !is_possible("spooled uploads", uploads) {
        return;
    }
    let scene = Scene::start(patient);
    let greedy = scene.server.account("greedy");
    let path = snapshot(&scene, &greedy);
    let watch = scene.watch();
    let partial_upload = upload_head(&greedy, &path, 100_000_000, "") + &"0".repeat(2_000);
    let each = uploads / usize::from(NETWORKS);
    let uploads: Vec<_> = (0..NETWORKS)
        .map(|number| Stranger::hold(network(100 + number), scene.port(), each, &partial_upload))
        .collect();
    let files = TemporaryFiles::measure(&scene);
    assert!((1..=MAX_FILES).contains(&files.count), "{files:?}");
    let polite = snapshot(&scene, &scene.account);
    let upload_answer = send(
        &scene,
        &scene.account,
        "PUT",
        &format!("{polite}/addresses"),
        "text/csv",
        address(1).as_bytes(),
    );
    assert_eq!(
        upload_answer.status, 200,
        "an upload of another client: {}",
        upload_answer.body
    );
    watch.verdict(Duration::from_secs(1));
    drop(uploads);
}

#[test]
fn uploads_of_one_client_use_its_share_of_the_disk() {
    const UPLOADS: u8 = 60;
    if !tier::is_full_or_skipped(test_name!()) {
        return;
    }
    let scene = Scene::start(patient);
    let greedy = scene.server.account("greedy");
    let path = snapshot(&scene, &greedy);
    let watch = scene.watch();
    let partial_upload = upload_head(&greedy, &path, 100_000_000, "") + &"0".repeat(16 << 20);
    let uploads: Vec<_> = (0..UPLOADS)
        .map(|number| Stranger::hold(network(100 + number), scene.port(), 1, &partial_upload))
        .collect();
    let files = TemporaryFiles::measure(&scene);
    assert!(
        (MAX_BYTES / 2..=MAX_BYTES).contains(&files.bytes),
        "{files:?}"
    );
    watch.verdict(Duration::from_secs(1));
    drop(uploads);
    let since = Instant::now();
    while TemporaryFiles::measure(&scene).count > 0 {
        assert!(
            since.elapsed() < PROMPT,
            "closed uploads leave {:?}",
            TemporaryFiles::measure(&scene)
        );
        thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn expanding_uploads_delay_no_other_scan() {
    const UPLOADS: usize = TIMES * 24;
    let scene = Scene::start(|_| {});
    let greedy = scene.server.account("greedy");
    let path = snapshot(&scene, &greedy);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&vec![b'\n'; 1 << 20]).expect("memory");
    // 255 MiB of empty lines.
    let body = gzip.finish().expect("memory").repeat(255);
    let watch = scene.watch();
    let answers: Vec<u16> = thread::scope(|scope| {
        let upload = |_| {
            scope.spawn(|| {
                let headers = [
                    ("x-api-key", greedy.key.as_str()),
                    ("content-type", "text/csv"),
                    ("content-encoding", "gzip"),
                ];
                let url = format!("{}{path}/addresses", scene.server.url());
                http::put(&http::agent(), &url, &headers, &body)
                    .expect("the server answers")
                    .status
            })
        };
        let uploads: Vec<_> = (0..UPLOADS).map(upload).collect();
        for _ in 0..5 {
            assert_scans_are_prompt(&scene);
        }
        uploads
            .into_iter()
            .map(|upload| upload.join().expect("no panic"))
            .collect()
    });
    assert!(
        answers.contains(&400) && answers.iter().all(|status| [400, 429].contains(status)),
        "{answers:?}"
    );
    watch.verdict(Duration::ZERO);
}

#[test]
fn unread_downloads_share_one_file() {
    const DOWNLOADS: usize = TIMES * 60;
    const ADDRESSES: usize = 5_000;
    let scene = Scene::start(|_| {});
    let greedy = scene.server.account("greedy");
    let path = snapshot(&scene, &greedy);
    let lines: String = (0..ADDRESSES)
        .map(|number| address(number) + "\n")
        .collect();
    let upload_answer = send(
        &scene,
        &greedy,
        "PUT",
        &format!("{path}/addresses"),
        "text/csv",
        lines.as_bytes(),
    );
    assert_eq!(upload_answer.status, 200, "{}", upload_answer.body);
    let since = Instant::now();
    while send(&scene, &greedy, "GET", &path, "", &[]).json()["data"]["state"] != "draft" {
        assert!(
            since.elapsed() < Duration::from_mins(1),
            "the snapshot is not complete"
        );
        thread::sleep(Duration::from_millis(50));
    }
    let watch = scene.watch();
    let request = format!(
        "GET {path}/file?format=ndjson HTTP/1.1\r\nhost: x\r\nx-api-key: {}\r\n\r\n",
        greedy.key
    );
    let downloads = Stranger::hold(network(1), scene.port(), DOWNLOADS, &request);
    assert_scans_are_prompt(&scene);
    let files = TemporaryFiles::measure(&scene);
    assert_eq!(files.count, 1, "{files:?}");
    watch.verdict(Duration::from_secs(1));
    drop(downloads);
}

#[test]
fn sandbox_batches_end_at_the_daily_limit() {
    const BATCHES: usize = TIMES * 10;
    let scene = Scene::start(|_| {});
    let greedy = scene.server.account("greedy");
    let TestAccount { key, context, .. } =
        scene.server.key_and_context(&greedy.client, &["--test"]);
    let addresses: Vec<_> = (0..1_000).map(address).collect();
    let body = json!({"context_id": context, "eoa_addresses": addresses}).to_string();
    let request = format!(
        "POST /api/v1/users/eoa/batch HTTP/1.1\r\nhost: x\r\nconnection: close\r\nx-api-key: {key}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    let watch = scene.watch();
    let answers: Vec<_> = (0..BATCHES)
        .map(|_| ask(network(1), scene.port(), &request).expect("an answer"))
        .collect();
    let (answered, rejected): (Vec<_>, Vec<_>) =
        answers.iter().partition(|answer| answer.status == 200);
    assert_eq!(answered.len(), 10, "10,000 lookups a day");
    let is_limit =
        |answer: &&RawAnswer| answer.status == 402 && answer.body.contains("left of 10000 today");
    assert!(rejected.iter().all(is_limit), "{rejected:?}");
    watch.verdict(Duration::ZERO);
}
