//! Contents of the operator's log about a rejection.

use crate::common::{ADDRESS, App, CapturedLog};
use crate::window::service::Service;
use actix_web::test::TestRequest;
use tracing::Level;
use voight_domain::registry::ClientChange;

#[actix_web::test]
async fn log_has_the_reason_but_no_secrets() {
    let service = Service::new().await;
    let mut check = service.open().await;
    check.work.push('x');
    let log = CapturedLog::start(Level::INFO);
    let answer = service.submit(&check, &service.first_batch(&check)).await;
    let log = log.finish();
    let line = log
        .lines()
        .find(|line| line.contains("check rejected"))
        .unwrap_or_else(|| panic!("{log}"));
    let request = answer.header("x-request-id").unwrap();
    for part in ["INFO", r#"reason="work_unsolved""#, &check.id, request] {
        assert!(line.contains(part), "{part}: {line}");
    }
    for secret in [ADDRESS, check.challenge.as_str(), "192.0.2.1"] {
        assert!(!log.contains(secret), "{secret}: {log}");
    }
}

#[actix_web::test]
async fn rejected_page_is_logged() {
    let app = App::new().await;
    let context = app.context().await;
    let origins = ClientChange::Origins(vec!["https://pinned.example".parse().unwrap()]);
    app.state
        .services
        .registry
        .change_client(app.client.id, origins)
        .await
        .unwrap();
    for (origin, logged) in [
        ("https://quest.example", "https://quest.example"),
        ("quest.example", "quest.example"),
        (ADDRESS, "*"),
    ] {
        let log = CapturedLog::start(Level::INFO);
        app.send(TestRequest::get().uri(&format!("/window/v1?context={context}&origin={origin}")))
            .await;
        let log = log.finish();
        let line = log
            .lines()
            .find(|line| line.contains("window rejected"))
            .unwrap_or_else(|| panic!("{log}"));
        for part in [
            r#"reason="origin_not_allowed""#,
            &format!("context={context:?}"),
            &format!("origin={logged:?}"),
        ] {
            assert!(line.contains(part), "{part}: {line}");
        }
        assert!(!log.contains(ADDRESS), "{log}");
    }
}
