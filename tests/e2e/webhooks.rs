//! Webhooks, verified by libraries that belong to other projects.

mod certificates;
mod delivery;
pub(crate) mod feed;
pub(crate) mod fixture;
mod kills;
mod node_receiver;
pub(crate) mod tls_receiver;

use fixture::{endpoint, rotate, secrets, sign};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use voight_domain::vocabulary::Timestamp;
use voight_domain::webhooks::{Endpoint, SignatureKind};
use voight_tests::command::must_succeed;
use voight_tests::skip::skipped;
use voight_tests::{paths, test_name};

const BODY: &str =
    r#"{"type":"verdict.flagged","timestamp":"2026-11-29T12:00:00Z","data":{"note":"é"}}"#;
const MODULES: &str = "webhooks/node_modules";
const PYTHON: &str = "sdk-python/bin/python";

/// Requests with the names of those that a library has to verify.
#[derive(Default)]
struct Requests {
    list: Vec<Value>,
    valid: BTreeSet<String>,
}

impl Requests {
    fn add(&mut self, name: &str, signer: &Endpoint, receiver: &Endpoint, sent_at: Timestamp) {
        self.valid.insert(name.to_owned());
        self.add_invalid(name, signer, receiver, (sent_at, BODY));
    }

    /// Adds a request that was sent at this time, with the body that is received.
    fn add_invalid(
        &mut self,
        name: &str,
        signer: &Endpoint,
        receiver: &Endpoint,
        (sent_at, body): (Timestamp, &str),
    ) {
        let headers = sign(signer, BODY, sent_at);
        let headers: serde_json::Map<_, _> = headers
            .entries()
            .map(|(name, value)| (name.to_owned(), value.into()))
            .into_iter()
            .collect();
        let key = receiver.receiver_key(&secrets());
        self.list
            .push(json!({"name": name, "key": key, "headers": headers, "body": body}));
    }

    /// Adds valid and invalid requests of an endpoint.
    fn add_all(&mut self, kind: SignatureKind, now: Timestamp) {
        let first = endpoint(kind);
        let rotated = rotate(first.clone(), now);
        let twice_rotated = rotate(rotated.clone(), now);
        self.add("current key", &first, &first, now);
        self.add("former key during a rotation", &rotated, &first, now);
        self.add("new key during a rotation", &rotated, &rotated, now);
        self.add_invalid(
            "key of a rotation before",
            &twice_rotated,
            &first,
            (now, BODY),
        );
        self.add_invalid("new key before its rotation", &first, &rotated, (now, BODY));
        self.add_invalid("altered body", &first, &first, (now, "{}"));
        if kind == SignatureKind::Hmac {
            let ten_minutes_ago = now.saturating_sub(Duration::from_mins(10));
            self.add_invalid("old", &first, &first, (ten_minutes_ago, BODY));
        }
    }
}

/// Returns signed requests. Libraries compare their times with the clock.
#[expect(
    clippy::disallowed_methods,
    reason = "the libraries read the clock of the system"
)]
fn signed_requests(file: &Path) -> BTreeSet<String> {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
    let millis = since_epoch.expect("a time after 1970").as_millis();
    let now = Timestamp::from_millis(millis.try_into().expect("a time"));
    let mut requests = Requests::default();
    for kind in SignatureKind::ALL {
        requests.add_all(kind, now);
    }
    let text = serde_json::to_vec(&requests.list).expect("JSON");
    std::fs::write(file, text).expect("the requests are written");
    requests.valid
}

/// Requires that each library verifies exactly the valid requests.
fn assert_verified(program: &mut Command, libraries: &[&str]) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("requests.json");
    let valid = signed_requests(&file);
    let output = must_succeed(program.arg(&file));
    let verified: Value = serde_json::from_str(&output).expect("JSON");
    for library in libraries {
        let names = verified[library].as_array().expect("a list of names");
        let names: BTreeSet<_> = names
            .iter()
            .filter_map(|name| name.as_str().map(ToOwned::to_owned))
            .collect();
        assert_eq!(names, valid, "{library}");
    }
}

#[test]
fn npm_libraries_verify_webhooks() {
    let modules = paths::tools().join(MODULES);
    if !modules.is_dir() {
        return skip_without(test_name!(), &modules);
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = folder.path().join("verify.mjs");
    std::fs::copy(source("verify.mjs"), &script).expect("a copy of the script");
    std::os::unix::fs::symlink(&modules, folder.path().join("node_modules"))
        .expect("a link to the packages");
    let libraries = ["standardwebhooks", "svix", "node:crypto"];
    assert_verified(Command::new("node").arg(script), &libraries);
}

#[test]
fn pypi_libraries_verify_webhooks() {
    let python = paths::tools().join(PYTHON);
    if !python.is_file() {
        return skip_without(test_name!(), &python);
    }
    let libraries = ["standardwebhooks", "cryptography"];
    assert_verified(Command::new(python).arg(source("verify.py")), &libraries);
}

fn source(name: &str) -> std::path::PathBuf {
    paths::repository().join("tests/e2e/webhooks").join(name)
}

fn skip_without(test: &str, path: &Path) {
    let reason = format!(
        "{} is missing; `cargo xtask test --only setup` installs it",
        path.display()
    );
    skipped(test, &reason);
}
