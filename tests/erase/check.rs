//! A check that a program passes, and admits to be one.

use crate::hand::batch;
use crate::puzzle::solve;
use serde_json::{Value, json};
use std::thread::sleep;
use std::time::Duration;
use voight_tests::http::{self, Response};
use voight_tests::server::Server;

const ORIGIN: &str = "https://quest.example";
/// When the events of the batches begin, in units of 0.1 ms, and longer than they take.
const STARTS: [i64; 2] = [5_000, 20_000];
const PRESS: Duration = Duration::from_millis(1_600);

/// Passes a check in the name of `address`; the context will take it for a bot.
pub(crate) fn pass(server: &Server, context: &str, address: &str) {
    let asked =
        json!({"context": context, "address": address, "origin": ORIGIN, "originSite": format!("{ORIGIN}/q/1")});
    let opened = data(&post(server, "/window/v1/checks", &[], &asked.to_string()));
    let work = solve(&opened["work"]);
    let headers = [("x-voight-challenge", text(&opened["challenge"])), ("x-voight-work", &work)];
    let call = |step: &str, body: &str| {
        data(&post(server, &format!("/window/v1/checks/{}/{step}", text(&opened["check"])), &headers, body))
    };
    sleep(PRESS);
    let mut first = batch(1, context, address, first_place(text(&opened["layoutSeed"])), STARTS[0]);
    first["env"] = json!({"webdriver": {"value": true, "own": false, "inPrototype": true}});
    let step = call("evidence", &first.to_string())["step"].take();
    sleep(PRESS);
    let place = (number(&step["x"]), number(&step["y"]));
    let mut second = batch(2, context, address, place, STARTS[1]);
    second["ctx"]["answer"] = step["token"].clone();
    call("evidence", &second.to_string());
    assert!(call("complete", "")["receipt"].is_string());
}

/// Where the first target is drawn.
fn first_place(seed: &str) -> (f64, f64) {
    let fraction = |digits: &str| f64::from(u16::from_str_radix(digits, 16).expect("hex digits")) / 65_535.0;
    (fraction(&seed[..4]), fraction(&seed[4..8]))
}

fn post(server: &Server, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
    let url = format!("{}{path}", server.url());
    let own = [("content-type", "application/json"), ("sec-fetch-site", "same-origin")];
    http::post(&http::agent(), &url, &[&own, headers].concat(), body.as_bytes()).expect("the server answers")
}

fn data(answer: &Response) -> Value {
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()["data"].take()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("a text, not {value}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("a number, not {value}"))
}
