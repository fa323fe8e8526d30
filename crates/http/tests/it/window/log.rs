//! Contents of the operator's log about a rejection.

use crate::common::ADDRESS;
use crate::window::service::Service;
use std::io::Write;
use std::sync::{Arc, Mutex};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[actix_web::test]
async fn the_log_has_the_reason_and_neither_address_nor_challenge() {
    let service = Service::new().await;
    let mut check = service.open().await;
    check.work.push('x');
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_ansi(false).with_writer(move || writer.clone()).finish();
    let guard = tracing::subscriber::set_default(subscriber);
    let answer = service.submit(&check, &service.first_batch(&check)).await;
    drop(guard);
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let line = log.lines().find(|line| line.contains("check refused")).unwrap_or_else(|| panic!("{log}"));
    let request = answer.header("x-request-id").unwrap();
    for part in ["INFO", r#"reason="work_unsolved""#, &check.id, request] {
        assert!(line.contains(part), "{part}: {line}");
    }
    for secret in [ADDRESS, check.challenge.as_str(), "192.0.2.1"] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
}
