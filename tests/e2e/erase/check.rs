//! Check that a program passes.

use crate::browser::puzzle::solve;
use serde_json::{Value, json};
use std::thread::sleep;
use std::time::Duration;
use voight_support::evidence::batch;
use voight_tests::http::{self, Response};
use voight_tests::server::Server;

const ORIGIN: &str = "https://quest.example";
/// Start of the events of each batch, in units of 0.1 ms, and a time longer than they take.
const STARTS: [i64; 2] = [5_000, 20_000];
const PRESS: Duration = Duration::from_millis(1_600);

/// Open check.
pub(crate) struct ScriptedCheck {
    opened: Value,
    work: String,
    context: String,
    address: String,
}

impl ScriptedCheck {
    /// Opens a check for `address`, and solves its puzzle.
    pub(crate) fn open(server: &Server, context: &str, address: &str) -> Self {
        let request = json!({"context": context, "address": address, "origin": ORIGIN, "originSite": format!("{ORIGIN}/q/1")});
        Self::opened(
            data(&post(
                server,
                "/window/v1/checks",
                &[],
                &request.to_string(),
            )),
            context,
            address,
        )
    }

    /// Returns the check that a response opened, with its puzzle solved.
    pub(crate) fn opened(opened_check: Value, context: &str, address: &str) -> Self {
        let work = solve(&opened_check["work"]);
        Self {
            opened: opened_check,
            work,
            context: context.to_owned(),
            address: address.to_owned(),
        }
    }

    /// Returns the first batch: a press on the target at its drawn position.
    pub(crate) fn first_batch(&self) -> Value {
        let place = first_target(text(&self.opened["layoutSeed"]));
        batch(1, &self.context, &self.address, place, STARTS[0])
    }

    /// Returns the second batch, which answers a step: a press on the second target, or the answer only.
    pub(crate) fn second(&self, step: &Value) -> Value {
        let place = step["x"].as_f64().zip(step["y"].as_f64());
        let mut second = batch(
            2,
            &self.context,
            &self.address,
            place.unwrap_or_default(),
            STARTS[1],
        );
        if place.is_none() {
            (second["pointer"], second["layout"]) = (json!([]), json!([]));
        }
        second["ctx"]["answer"] = step["token"].clone();
        second
    }

    /// Sends a batch.
    pub(crate) fn send(&self, server: &Server, batch: &Value) -> Response {
        self.call(server, "evidence", &batch.to_string())
    }

    /// Requests the receipt.
    pub(crate) fn complete(&self, server: &Server) -> Response {
        self.call(server, "complete", "")
    }

    /// Sends the first batch and the next one, each after the time that its events need.
    pub(crate) fn run(&self, server: &Server, first: &Value) {
        sleep(PRESS);
        let step = data(&self.send(server, first))["step"].take();
        sleep(PRESS);
        data(&self.send(server, &self.second(&step)));
    }

    fn call(&self, server: &Server, step: &str, body: &str) -> Response {
        post(server, &self.path(step), &self.headers(), body)
    }

    /// Returns the path of one of its calls.
    pub(crate) fn path(&self, step: &str) -> String {
        format!("/window/v1/checks/{}/{step}", text(&self.opened["check"]))
    }

    /// Returns the headers of its calls.
    pub(crate) fn headers(&self) -> [(&'static str, &str); 2] {
        [
            ("x-voight-challenge", text(&self.opened["challenge"])),
            ("x-voight-work", &self.work),
        ]
    }
}

/// Returns the drawn position of the first target.
fn first_target(seed: &str) -> (f64, f64) {
    let fraction =
        |digits: &str| f64::from(u16::from_str_radix(digits, 16).expect("hex digits")) / 65_535.0;
    (fraction(&seed[..4]), fraction(&seed[4..8]))
}

fn post(server: &Server, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
    let url = format!("{}{path}", server.url());
    let window_headers = [
        ("content-type", "application/json"),
        ("sec-fetch-site", "same-origin"),
    ];
    http::post(
        &http::agent(),
        &url,
        &[&window_headers, headers].concat(),
        body.as_bytes(),
    )
    .expect("the server answers")
}

fn data(answer: &Response) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()["data"].take()
}

fn text(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("a text, not {value}"))
}
