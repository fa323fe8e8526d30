//! Exports of usage through the admin API.

use crate::admin::console::{Console, HOST, probe};
use crate::common::{ADDRESS, App};

const EXPORT: &str = "/admin/v1/usage/export";

async fn looked_up(app: &App, count: usize) {
    let context = app.context().await;
    for _ in 0..count {
        app.wait(std::time::Duration::from_millis(10));
        assert_eq!(app.send(app.look_up(&context, ADDRESS)).await.status, 200);
    }
}

#[actix_web::test]
async fn export_streams_all_pages() {
    let console = Console::new().await;
    looked_up(&console.app, 2_100).await;
    let csv = console
        .get(&format!("{EXPORT}?client=acme&format=csv"))
        .await;
    assert_eq!(
        (csv.status, csv.header("content-type")),
        (200, Some("text/csv"))
    );
    let lines: Vec<_> = csv.body.lines().skip(1).collect();
    assert_eq!(lines.len(), 2_100);
    assert!(
        lines
            .iter()
            .zip(1..)
            .all(|(line, seq)| line.starts_with(&format!("{seq},")))
    );
    let lago = console
        .get(&format!(
            "{EXPORT}?client=acme&format=lago&from=2026-11-21&to=2026-11-22"
        ))
        .await;
    assert_eq!(
        (lago.header("content-type"), lago.body.lines().count()),
        (Some("application/x-ndjson"), 21)
    );
}

#[actix_web::test]
async fn sandbox_is_exported_apart() {
    let console = Console::new().await;
    looked_up(&console.app, 1).await;
    let events = |environment| {
        let console = &console;
        async move {
            let query = format!("client=acme&format=cloudevents&environment={environment}");
            console
                .get(&format!("{EXPORT}?{query}"))
                .await
                .body
                .lines()
                .count()
        }
    };
    assert_eq!((events("live").await, events("test").await), (1, 0));
}

#[actix_web::test]
async fn invalid_export_is_rejected_before_the_first_byte() {
    let console = Console::new().await;
    for (query, status, id, words) in [
        ("format=csv", 400, "m_g_p_1", "client is missing"),
        (
            "client=missing-client&format=csv",
            404,
            "m_g_n_1",
            "missing-client",
        ),
        (
            "client=acme&format=xls",
            400,
            "m_g_p_1",
            "one of csv, cloudevents, lago",
        ),
        (
            "client=acme&format=csv&environment=sandbox",
            400,
            "m_g_p_1",
            "live or test",
        ),
        (
            "client=acme&format=csv&from=2026-11-02&to=2026-11-01",
            400,
            "m_g_p_1",
            "to is not after from",
        ),
    ] {
        let answer = console.get(&format!("{EXPORT}?{query}")).await;
        answer.is_error(status, id);
        assert!(answer.body.contains(words), "{query}: {}", answer.body);
    }
    console
        .send(probe(EXPORT, HOST))
        .await
        .is_error(401, "m_a_t_1");
}
