//! Concurrent checks, interleaved call by call, so that load of the machine affects all of them alike.

use crate::erase::check::ScriptedCheck;
use crate::oracle::evidence::{IntendedFinding, first, second};
use crate::oracle::observed::Observed;
use crate::oracle::wire::{Wire, WireReply};
use serde_json::{Value, json};
use std::thread::sleep;
use std::time::Duration;
use voight_tests::server::Server;

const ORIGIN: &str = "https://quest.example";
/// Time that the events of a batch need.
const PRESS: Duration = Duration::from_secs(2);

/// Check of one visitor.
pub(crate) struct Visit {
    class: usize,
    address: String,
    finding: IntendedFinding,
    check: Option<ScriptedCheck>,
    step: Value,
}

impl Visit {
    pub(crate) fn new(class: usize, address: String, finding: IntendedFinding) -> Self {
        Self {
            class,
            address,
            finding,
            check: None,
            step: Value::Null,
        }
    }

    /// Returns a network that no other address uses.
    fn network(&self) -> String {
        let digits = |range| u8::from_str_radix(&self.address[range], 16).expect("hex digits");
        format!("10.{}.{}.{}", digits(2..4), digits(38..40), digits(40..42))
    }

    fn check(&self) -> &ScriptedCheck {
        self.check.as_ref().expect("an opened check")
    }

    fn call(&self, wire: &mut Wire, step: &str, body: &str) -> WireReply {
        let check = self.check();
        wire.post(&check.path(step), &self.network(), &check.headers(), body)
    }
}

/// Passes the checks, each step for all of them before the next, and records the observable values.
pub(crate) fn visit_all(
    server: &Server,
    context: &str,
    visits: &mut [Visit],
    observations: &mut Observed,
) {
    let mut wire = Wire::open(&server.url());
    for visit in visits.iter_mut() {
        let request = json!({
            "context": context, "address": visit.address, "origin": ORIGIN, "originSite": format!("{ORIGIN}/q/1"),
        });
        let reply = wire.post(
            "/window/v1/checks",
            &visit.network(),
            &[],
            &request.to_string(),
        );
        observations.note("open", visit.class, &reply);
        visit.check = Some(ScriptedCheck::opened(data(&reply), context, &visit.address));
    }
    let forged_signature =
        json!({"signed": {"signature": format!("0x{}1b", "11".repeat(64))}}).to_string();
    for visit in visits.iter() {
        observations.note(
            "ownership",
            visit.class,
            &visit.call(&mut wire, "ownership", &forged_signature),
        );
    }
    sleep(PRESS);
    for visit in visits.iter_mut() {
        let body = first(visit.check(), visit.finding).to_string();
        let reply = visit.call(&mut wire, "evidence", &body);
        observations.note("evidence 1", visit.class, &reply);
        visit.step = data(&reply)["step"].take();
    }
    sleep(PRESS);
    for visit in visits.iter() {
        let body = second(visit.check(), &visit.step, visit.finding).to_string();
        let reply = visit.call(&mut wire, "evidence", &body);
        observations.note("evidence 2", visit.class, &reply);
        data(&reply);
    }
    for (call, is_retry) in [("complete", false), ("complete again", true)] {
        for visit in visits.iter() {
            let reply = visit.call(&mut wire, "complete", "");
            observations.note(call, visit.class, &reply);
            assert!(
                data(&reply)["receipt"].is_string(),
                "{call} ({is_retry}): {}",
                reply.body
            );
        }
    }
}

fn data(reply: &WireReply) -> Value {
    let mut body: Value = serde_json::from_str(&reply.body).expect("a JSON body");
    assert_eq!(body["success"], true, "{}{}", reply.head, reply.body);
    body["data"].take()
}
