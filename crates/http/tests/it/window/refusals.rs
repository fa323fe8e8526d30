//! Every check that the protocol rejects gets the same response.

use crate::common::{ADDRESS, Answer};
use crate::window::service::{CHECKS, ORIGIN, Service, SolvedCheck, post};
use actix_web::http::Method;
use actix_web::test::TestRequest;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;

/// Returns the parts of a response that a browser can observe.
fn summarise(answer: &Answer) -> (u16, String, BTreeSet<String>) {
    let names = answer.headers.keys().map(ToString::to_string).collect();
    (answer.status, answer.body.clone(), names)
}

#[actix_web::test]
async fn gate_rejections_are_indistinguishable() {
    let service = Service::new().await;
    let finished = service.run().await;
    assert_eq!(service.complete(&finished).await.status, 200);
    let other = service.open().await;
    let started = service.open().await;
    service.app.wait(Duration::from_secs(2));
    let drawn = service
        .submit(&started, &service.first_batch(&started))
        .await;
    let mut wrong_answer = service.second(&drawn);
    wrong_answer["ctx"]["answer"] = "0000000000000000".into();
    let mut foreign_address = service.first_batch(&other);
    foreign_address["ctx"]["address"] = ADDRESS.replace("0x0", "0x1").into();
    let mut third = service.first_batch(&other);
    third["ctx"]["batch"] = 3.into();
    let forged = SolvedCheck {
        challenge: "forged".to_owned(),
        ..copy(&other)
    };
    let unsolved = SolvedCheck {
        work: String::new(),
        ..copy(&other)
    };
    let exchanged = SolvedCheck {
        id: other.id.clone(),
        ..copy(&started)
    };
    let evidence = service.first_batch(&other);
    let refused = [
        (
            "used",
            service
                .submit(&finished, &service.first_batch(&finished))
                .await,
        ),
        ("forged", service.submit(&forged, &evidence).await),
        ("unsolved", service.submit(&unsolved, &evidence).await),
        (
            "of another check",
            service.submit(&exchanged, &evidence).await,
        ),
        (
            "for another address",
            service.submit(&other, &foreign_address).await,
        ),
        ("batch out of order", service.submit(&other, &third).await),
        (
            "batch twice",
            service
                .submit(&started, &service.first_batch(&started))
                .await,
        ),
        (
            "step not answered",
            service.submit(&started, &wrong_answer).await,
        ),
        ("incomplete", service.complete(&started).await),
    ];
    service.app.wait(Duration::from_mins(5));
    let expired = service.submit(&other, &evidence).await;
    expired.is_error(403, "m_w_r_1");
    for (reason, answer) in refused {
        assert_eq!(summarise(&answer), summarise(&expired), "{reason}");
    }
    let metrics = service.app.state.metrics.render().unwrap();
    for (reason, times) in [
        ("challenge_used", 1),
        ("challenge_forged", 1),
        ("challenge_foreign", 2),
        ("challenge_expired", 1),
        ("work_unsolved", 1),
        ("batch_number", 2),
        ("step_unanswered", 1),
        ("incomplete", 1),
    ] {
        let line = format!(r#"voight_requests_rejected_total{{reason="{reason}"}} {times}"#);
        assert!(metrics.contains(&line), "{line}: {metrics}");
    }
}

#[actix_web::test]
async fn one_solved_puzzle_buys_no_more_than_a_few_readings() {
    let service = Service::new().await;
    let (check, other) = (service.open().await, service.open().await);
    let mut third = service.first_batch(&check);
    third["ctx"]["batch"] = 3.into();
    for _ in 0..16 {
        service
            .submit(&check, &third)
            .await
            .is_error(403, "m_w_r_1");
    }
    let limited = service.submit(&check, &service.first_batch(&check)).await;
    limited.is_error(429, "m_g_r_1");
    assert!(limited.header("retry-after").is_some());
    assert_eq!(
        service
            .submit(&other, &service.first_batch(&other))
            .await
            .status,
        200,
        "another check is its own"
    );
    let metrics = service.app.state.metrics.render().unwrap();
    assert!(
        metrics.contains(r#"voight_requests_rejected_total{reason="batches_rate_limited"} 1"#),
        "{metrics}"
    );
}

#[actix_web::test]
async fn the_gates_own_reasons_look_the_same_and_are_counted_apart() {
    let service = Service::new().await;
    let elsewhere = service.open().await;
    service.app.wait(Duration::from_secs(2));
    let mut first = service.first_batch(&elsewhere);
    let shifted = first["layout"][1]["x"].as_i64().unwrap() - 900;
    first["layout"][1]["x"] = shifted.into();
    let drawn = service.submit(&elsewhere, &first).await;
    service.submit(&elsewhere, &service.second(&drawn)).await;
    let moved = service.complete(&elsewhere).await;

    let recorded = service.run().await;
    assert_eq!(service.complete(&recorded).await.status, 200);
    let hasty = service.open().await;
    let drawn = service
        .submit(&hasty, &late(service.first_batch(&hasty)))
        .await;
    service.submit(&hasty, &late(service.second(&drawn))).await;
    let hasty = service.complete(&hasty).await;
    moved.is_error(403, "m_w_r_1");
    assert_eq!(summarise(&moved), summarise(&hasty));
    let metrics = service.app.state.metrics.render().unwrap();
    for reason in ["layout_not_drawn", "time_impossible"] {
        assert!(
            metrics.contains(&format!(
                r#"voight_requests_rejected_total{{reason="{reason}"}} 1"#
            )),
            "{reason}: {metrics}"
        );
    }
}

/// Changes a batch so that its check appears to have taken far longer.
fn late(mut batch: Value) -> Value {
    let submit = batch["clock"]["submit"].as_i64().unwrap();
    batch["clock"]["submit"] = (submit + 900_000).into();
    batch
}

fn copy(check: &SolvedCheck) -> SolvedCheck {
    SolvedCheck {
        id: check.id.clone(),
        challenge: check.challenge.clone(),
        work: check.work.clone(),
        answer: check.answer.clone(),
    }
}

#[actix_web::test]
async fn a_foreign_page_cannot_call() {
    let service = Service::new().await;
    let asked = service.last_request().to_string();
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", ORIGIN),
    ] {
        service
            .app
            .send(post(CHECKS, asked.clone()).insert_header((name, value)))
            .await
            .is_error(403, "m_w_r_1");
    }
}

#[actix_web::test]
async fn evidence_that_breaks_the_schema_is_refused_without_detail() {
    let service = Service::new().await;
    let check = service.open().await;
    let mut unknown = service.first_batch(&check);
    unknown["surprise"] = 1.into();
    for body in [
        unknown.to_string(),
        "[]".to_owned(),
        "{".to_owned(),
        String::new(),
    ] {
        let answer = service.app.send(check.post("evidence", body)).await;
        answer.is_error(400, "m_w_e_1");
        assert!(!answer.body.contains("surprise"));
    }
    let large = service
        .app
        .send(check.post("evidence", vec![b' '; 64 * 1024 + 1]))
        .await;
    large.is_error(413, "m_g_z_1");
}

#[actix_web::test]
async fn other_methods_and_large_bodies_are_answered_in_the_envelope() {
    let service = Service::new().await;
    let got = service
        .app
        .send(TestRequest::default().method(Method::GET).uri(CHECKS))
        .await;
    got.is_error(405, "m_g_m_1");
    assert_eq!(got.header("allow"), Some("POST"));
    let mut asked = service.last_request();
    asked["session"] = "x".repeat(5000).into();
    service.open_with(&asked).await.is_error(413, "m_g_z_1");
}
