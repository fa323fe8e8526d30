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
    let finished_check = service.run().await;
    assert_eq!(service.complete(&finished_check).await.status, 200);
    let other_check = service.open().await;
    let started_check = service.open().await;
    service.app.wait(Duration::from_secs(2));
    let first_answer = service
        .submit(&started_check, &service.first_batch(&started_check))
        .await;
    let mut wrong_answer = service.second(&first_answer);
    wrong_answer["ctx"]["answer"] = "0000000000000000".into();
    let mut foreign_address = service.first_batch(&other_check);
    foreign_address["ctx"]["address"] = ADDRESS.replace("0x0", "0x1").into();
    let mut third = service.first_batch(&other_check);
    third["ctx"]["batch"] = 3.into();
    let forged_check = SolvedCheck {
        challenge: "forged".to_owned(),
        ..copy(&other_check)
    };
    let unsolved_check = SolvedCheck {
        work: String::new(),
        ..copy(&other_check)
    };
    let mixed_check = SolvedCheck {
        id: other_check.id.clone(),
        ..copy(&started_check)
    };
    let evidence = service.first_batch(&other_check);
    let rejections = [
        (
            "used",
            service
                .submit(&finished_check, &service.first_batch(&finished_check))
                .await,
        ),
        ("forged", service.submit(&forged_check, &evidence).await),
        ("unsolved", service.submit(&unsolved_check, &evidence).await),
        (
            "of another check",
            service.submit(&mixed_check, &evidence).await,
        ),
        (
            "for another address",
            service.submit(&other_check, &foreign_address).await,
        ),
        (
            "batch out of order",
            service.submit(&other_check, &third).await,
        ),
        (
            "batch twice",
            service
                .submit(&started_check, &service.first_batch(&started_check))
                .await,
        ),
        (
            "step not answered",
            service.submit(&started_check, &wrong_answer).await,
        ),
        ("incomplete", service.complete(&started_check).await),
    ];
    service.app.wait(Duration::from_mins(5));
    let expired_answer = service.submit(&other_check, &evidence).await;
    expired_answer.is_error(403, "m_w_r_1");
    for (reason, answer) in rejections {
        assert_eq!(summarise(&answer), summarise(&expired_answer), "{reason}");
    }
    let metrics = service
        .app
        .state
        .metrics
        .render(voight_http::TextFormat::Classic)
        .unwrap();
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
    let check = service.open().await;
    let other_check = service.open().await;
    let mut third = service.first_batch(&check);
    third["ctx"]["batch"] = 3.into();
    for _ in 0..16 {
        service
            .submit(&check, &third)
            .await
            .is_error(403, "m_w_r_1");
    }
    let rejection = service.submit(&check, &service.first_batch(&check)).await;
    rejection.is_error(429, "m_g_r_1");
    assert!(rejection.header("retry-after").is_some());
    assert_eq!(
        service
            .submit(&other_check, &service.first_batch(&other_check))
            .await
            .status,
        200,
        "another check is its own"
    );
    let metrics = service
        .app
        .state
        .metrics
        .render(voight_http::TextFormat::Classic)
        .unwrap();
    assert!(
        metrics.contains(r#"voight_requests_rejected_total{reason="batches_rate_limited"} 1"#),
        "{metrics}"
    );
}

#[actix_web::test]
async fn gate_reasons_are_counted_separately() {
    let service = Service::new().await;
    let elsewhere = service.open().await;
    service.app.wait(Duration::from_secs(2));
    let mut first = service.first_batch(&elsewhere);
    let shifted_x = first["layout"][1]["x"].as_i64().unwrap() - 900;
    first["layout"][1]["x"] = shifted_x.into();
    let first_answer = service.submit(&elsewhere, &first).await;
    service
        .submit(&elsewhere, &service.second(&first_answer))
        .await;
    let moved_completion = service.complete(&elsewhere).await;

    let recorded_check = service.run().await;
    assert_eq!(service.complete(&recorded_check).await.status, 200);
    let hasty = service.open().await;
    let first_answer = service
        .submit(&hasty, &late(service.first_batch(&hasty)))
        .await;
    service
        .submit(&hasty, &late(service.second(&first_answer)))
        .await;
    let hasty = service.complete(&hasty).await;
    moved_completion.is_error(403, "m_w_r_1");
    assert_eq!(summarise(&moved_completion), summarise(&hasty));
    let metrics = service
        .app
        .state
        .metrics
        .render(voight_http::TextFormat::Classic)
        .unwrap();
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
async fn foreign_page_cannot_call() {
    let service = Service::new().await;
    let request_text = service.last_request().to_string();
    for (name, value) in [
        ("sec-fetch-site", "cross-site"),
        ("sec-fetch-site", "same-site"),
        ("origin", ORIGIN),
    ] {
        service
            .app
            .send(post(CHECKS, request_text.clone()).insert_header((name, value)))
            .await
            .is_error(403, "m_w_r_1");
    }
}

#[actix_web::test]
async fn invalid_evidence_is_rejected_without_detail() {
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
async fn method_and_size_errors_use_the_envelope() {
    let service = Service::new().await;
    let got = service
        .app
        .send(TestRequest::default().method(Method::GET).uri(CHECKS))
        .await;
    got.is_error(405, "m_g_m_1");
    assert_eq!(got.header("allow"), Some("POST"));
    let mut request = service.last_request();
    request["session"] = "x".repeat(5000).into();
    service.open_with(&request).await.is_error(413, "m_g_z_1");
}
