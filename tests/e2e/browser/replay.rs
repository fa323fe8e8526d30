//! Recorded evidence of a browser, sent again by a program.

use crate::browser::fixture::BrowserFixture;
use crate::browser::puzzle;
use serde_json::{Value, json};
use voight_tests::http::Response;

/// Requests and responses of a window during one completed check.
pub(crate) struct RecordedCheck {
    opened: Value,
    check: String,
    challenge: String,
    work: String,
    batches: Vec<Value>,
}

/// Check that a program opened.
struct ReplayedCheck {
    id: String,
    challenge: String,
    work: String,
}

impl RecordedCheck {
    /// Parses the output of a recorder.
    pub(crate) fn from_json(recorded: &Value) -> Self {
        let exchanges = recorded["exchanges"].as_array().expect("exchanges");
        let body = |exchange: &Value| {
            serde_json::from_str::<Value>(text(&exchange["body"])).expect("a JSON body")
        };
        let of = |end: &str| {
            exchanges
                .iter()
                .filter(move |request| text(&request["path"]).ends_with(end))
                .collect::<Vec<_>>()
        };
        for exchange in exchanges {
            assert_eq!(exchange["status"], 200, "{exchange}");
        }
        let evidence = of("/evidence");
        let header = |name: &str| text(&evidence[0]["headers"][name]).to_owned();
        Self {
            opened: body(of("/checks")[0]),
            check: text(&evidence[0]["path"])
                .split('/')
                .nth_back(1)
                .expect("the check's id")
                .to_owned(),
            challenge: header("x-voight-challenge"),
            work: header("x-voight-work"),
            batches: evidence.into_iter().map(body).collect(),
        }
    }

    /// Sends the unchanged first batch again, and returns the response.
    pub(crate) fn with_the_used_challenge(&self, stage: &BrowserFixture) -> Response {
        let used_check = ReplayedCheck {
            id: self.check.clone(),
            challenge: self.challenge.clone(),
            work: self.work.clone(),
        };
        used_check.evidence(stage, &self.batches[0])
    }

    /// Sends the same events in a new check with other targets, and returns the response to its completion.
    pub(crate) fn with_a_fresh_challenge(&self, stage: &BrowserFixture) -> Response {
        let fresh = self.open(stage);
        let first = fresh.evidence(stage, &self.batches[0]);
        assert_eq!(first.status, 200, "{}", first.body);
        let mut second = self.batches[1].clone();
        second["ctx"]["answer"] = first.json()["data"]["step"]["token"].clone();
        let response = fresh.evidence(stage, &second);
        assert_eq!(response.status, 200, "{}", response.body);
        fresh.call(stage, "complete", "")
    }

    /// Sends the first batch of a new check as its third, and returns the response.
    pub(crate) fn with_a_wrong_batch_number(&self, stage: &BrowserFixture) -> Response {
        let mut first = self.batches[0].clone();
        first["ctx"]["batch"] = json!(3);
        self.open(stage).evidence(stage, &first)
    }

    fn open(&self, stage: &BrowserFixture) -> ReplayedCheck {
        let answer = stage.post("/window/v1/checks", &[], &self.opened.to_string());
        assert_eq!(answer.status, 200, "{}", answer.body);
        let check = &answer.json()["data"];
        ReplayedCheck {
            id: text(&check["check"]).to_owned(),
            challenge: text(&check["challenge"]).to_owned(),
            work: puzzle::solve(&check["work"]),
        }
    }
}

impl ReplayedCheck {
    fn evidence(&self, stage: &BrowserFixture, batch: &Value) -> Response {
        self.call(stage, "evidence", &batch.to_string())
    }

    fn call(&self, stage: &BrowserFixture, what: &str, body: &str) -> Response {
        let headers = [
            ("x-voight-challenge", self.challenge.as_str()),
            ("x-voight-work", self.work.as_str()),
        ];
        stage.post(
            &format!("/window/v1/checks/{}/{what}", self.id),
            &headers,
            body,
        )
    }
}

fn text(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("a text, not {value}"))
}
