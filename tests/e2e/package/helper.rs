//! Helper for backends, with Node's own test runner. A suite of pages tests it with the real service.

use crate::package::Project;

/// Runs the tests in one file.
fn run(file: &str) {
    let Some(project) = Project::new(file) else {
        return;
    };
    let status = project
        .clone
        .node_tests(&format!("tests/e2e/package/{file}"), &[], |_| {});
    assert!(status.success(), "{file}: {status}; its tests stand above");
}

#[test]
fn backend_gets_a_verdict_for_a_receipt() {
    run("verdict.test.mjs");
}

#[test]
fn slow_full_or_unreachable_service_is_a_named_error() {
    run("broken.test.mjs");
}

#[test]
fn receipts_are_verified_offline() {
    run("offline.test.mjs");
}

#[test]
fn webhooks_are_verified_as_servers_receive_them() {
    run("webhook.test.mjs");
}
