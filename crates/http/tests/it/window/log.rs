//! Contents of the operator's log about a rejection.

use crate::common::{ADDRESS, CapturedLog};
use crate::window::service::Service;
use tracing::Level;

#[actix_web::test]
async fn the_log_has_the_reason_and_neither_address_nor_challenge() {
    let service = Service::new().await;
    let mut check = service.open().await;
    check.work.push('x');
    let log = CapturedLog::start(Level::INFO);
    let answer = service.submit(&check, &service.first_batch(&check)).await;
    let log = log.finish();
    let line = log.lines().find(|line| line.contains("check refused")).unwrap_or_else(|| panic!("{log}"));
    let request = answer.header("x-request-id").unwrap();
    for part in ["INFO", r#"reason="work_unsolved""#, &check.id, request] {
        assert!(line.contains(part), "{part}: {line}");
    }
    for secret in [ADDRESS, check.challenge.as_str(), "192.0.2.1"] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
}
