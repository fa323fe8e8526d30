//! Service with the real assessor, and checks of it.

use crate::common::{ADDRESS, Answer, App};
use actix_web::test::TestRequest;
use actix_web::web;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use voight_detect::RuleAssessor;
use voight_domain::check::ProofOfWork;
use voight_domain::services::{Policies, ProofOfWorkPolicy, Services};
use voight_http::{AppState, HttpSettings};
use voight_support::evidence::batch;

pub(crate) const ORIGIN: &str = "https://quest.example";
pub(crate) const CHECKS: &str = "/window/v1/checks";
/// Request id of a document.
const REQUEST_ID: &str = "0123456789abcdef0123456789abcdef";

/// Service with the real assessor and a context.
pub(crate) struct Service {
    pub app: App,
    pub context: String,
}

/// Opened check with solved proof of work.
pub(crate) struct SolvedCheck {
    pub id: String,
    pub challenge: String,
    pub work: String,
    pub answer: Value,
}

impl Service {
    pub(crate) async fn new() -> Self {
        Self::with_settings(HttpSettings::default()).await
    }

    pub(crate) async fn with_settings(settings: HttpSettings) -> Self {
        let mut app = App::with_settings(settings.clone()).await;
        app.ports.assessor = Arc::new(RuleAssessor::new());
        let proof_of_work = ProofOfWorkPolicy {
            proof_of_work_bits: 4,
            max_proof_of_work_bits: 9,
        };
        let services = Services::new(
            &app.ports,
            Policies {
                proof_of_work,
                ..Policies::default()
            },
        );
        app.state = web::Data::new(AppState::new(services, settings, app.system()));
        let context = app.context().await;
        Self { app, context }
    }

    /// Returns the body that opens a check.
    pub(crate) fn last_request(&self) -> Value {
        let site = format!("{ORIGIN}/q/1");
        json!({"context": self.context, "address": ADDRESS, "origin": ORIGIN, "originSite": site})
    }

    pub(crate) async fn open_with(&self, asked: &Value) -> Answer {
        self.app.send(post(CHECKS, asked.to_string())).await
    }

    pub(crate) async fn open(&self) -> SolvedCheck {
        let answer = self.open_with(&self.last_request()).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        SolvedCheck::solved(answer.json()["data"].take())
    }

    /// Requests the window's document, or the stub that reports why the window is unavailable. The request id, which a stub
    /// contains, is always the same.
    pub(crate) async fn page(&self) -> Answer {
        let uri = format!("/window/v1?context={}&origin={ORIGIN}", self.context);
        self.app
            .send(
                TestRequest::get()
                    .uri(&uri)
                    .insert_header(("x-request-id", REQUEST_ID)),
            )
            .await
    }

    pub(crate) async fn submit(&self, check: &SolvedCheck, batch: &Value) -> Answer {
        self.app
            .send(check.post("evidence", batch.to_string()))
            .await
    }

    pub(crate) async fn complete(&self, check: &SolvedCheck) -> Answer {
        self.app.send(check.post("complete", "")).await
    }

    /// Returns the first batch of a check: a press on the target where it was drawn.
    pub(crate) fn first_batch(&self, check: &SolvedCheck) -> Value {
        batch(1, &self.context, ADDRESS, check.first_target(), 5_000)
    }

    /// Returns the second batch: a press on the target that the response to the first batch positions.
    pub(crate) fn second(&self, drawn: &Answer) -> Value {
        let step = drawn.json()["data"]["step"].take();
        assert_eq!(step["kind"], "press", "{step}");
        let place = (step["x"].as_f64().unwrap(), step["y"].as_f64().unwrap());
        let mut second = batch(2, &self.context, ADDRESS, place, 20_000);
        second["ctx"]["answer"] = step["token"].clone();
        second
    }

    /// Runs a check until its completion.
    pub(crate) async fn run(&self) -> SolvedCheck {
        self.run_in(|_| {}).await
    }

    /// Runs a check in a browser that reports automation.
    pub(crate) async fn drive(&self) -> SolvedCheck {
        let webdriver_env =
            json!({"webdriver": {"value": true, "own": false, "inPrototype": true}});
        self.run_in(|first| first["env"] = webdriver_env).await
    }

    /// Runs a check with a changed first batch.
    async fn run_in(&self, change: impl FnOnce(&mut Value)) -> SolvedCheck {
        let check = self.open().await;
        self.app.wait(Duration::from_secs(2));
        let mut first = self.first_batch(&check);
        change(&mut first);
        let first_answer = self.submit(&check, &first).await;
        self.app.wait(Duration::from_secs(2));
        let second_answer = self.submit(&check, &self.second(&first_answer)).await;
        assert_eq!(
            (second_answer.status, second_answer.body.as_str()),
            (200, r#"{"success":true,"data":{}}"#)
        );
        check
    }
}

impl SolvedCheck {
    pub(crate) fn solved(answer: Value) -> Self {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let bits = answer["work"]["bits"].as_u64().unwrap().try_into().unwrap();
        let work = ProofOfWork {
            salt: text(&answer["work"]["salt"]),
            difficulty_bits: bits,
        };
        let solution = (0_u32..1_000_000)
            .map(|n| n.to_string())
            .find(|n| work.is_solved_by(n))
            .unwrap();
        Self {
            id: text(&answer["check"]),
            challenge: text(&answer["challenge"]),
            work: solution,
            answer,
        }
    }

    pub(crate) fn post(&self, step: &str, body: impl Into<web::Bytes>) -> TestRequest {
        post(&format!("{CHECKS}/{}/{step}", self.id), body)
            .insert_header(("x-voight-challenge", self.challenge.clone()))
            .insert_header(("x-voight-work", self.work.clone()))
    }

    /// Returns the position of the first target, as defined by the protocol.
    fn first_target(&self) -> (f64, f64) {
        let seed = u64::from_str_radix(self.answer["layoutSeed"].as_str().unwrap(), 16).unwrap();
        let fraction =
            |shift: u32| f64::from(u16::try_from(seed >> shift & 0xffff).unwrap()) / 65_535.0;
        (fraction(48), fraction(32))
    }
}

pub(crate) fn post(path: &str, body: impl Into<web::Bytes>) -> TestRequest {
    TestRequest::post()
        .uri(path)
        .insert_header(("host", "voight.example"))
        .insert_header(("origin", "https://voight.example"))
        .insert_header(("sec-fetch-site", "same-origin"))
        .insert_header(("content-type", "application/json"))
        .set_payload(body)
}
