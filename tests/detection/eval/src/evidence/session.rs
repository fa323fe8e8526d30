//! Converts a recorded session to evidence: its first click becomes the first press, its last the second.
//!
//! The recordings were made with another page: a text field and a button instead of two targets, seven keys typed in between,
//! no test of native functions. Only the button's position is known, so only it has a rectangle.

use super::row::{CLICK, MOVE, PointerRow, encode};
use super::{OPENED, SyntheticCheck, browser, context, units};
use anyhow::Result;
use serde_json::{Value, json};

/// Returns the evidence of a session.
pub fn session(record: &Value) -> Result<SyntheticCheck> {
    let frame = &record["frame"];
    let events: Vec<&Value> = frame["events"].as_array().into_iter().flatten().collect();
    let first_click = events.iter().position(|event| event["k"] == "click");
    let (before, after) = events.split_at(first_click.map_or(events.len(), |at| at + 1));
    let press_time = first_click.map_or(&frame["tnow"], |at| &events[at]["h"]);
    let mut first = document(1, frame, before, press_time);
    first["env"] = browser::environment(&frame["env"]);
    let mut second = document(2, frame, after, &frame["tnow"]);
    second["env"] =
        json!({"atSubmit": browser::probe(&frame["cdp2"], &frame["globals2"], &frame["taps"])});
    if after
        .iter()
        .any(|event| event["k"] == "click" && number(&event["d"]) > 0.0)
    {
        second["layout"] = button(&frame["rect"], &frame["tl"]);
    }
    for document in [&mut first, &mut second] {
        document["counts"] = counts(&events);
    }
    SyntheticCheck::new([first, second], &headers(&record["hdr"]["post"]))
}

fn document(batch: u8, frame: &Value, part: &[&Value], submit: &Value) -> Value {
    json!({
        "v": 1,
        "ctx": context(batch),
        "clock": {"timeOrigin": OPENED, "load": scaled(&frame["tl"], 10.0), "submit": scaled(submit, 10.0)},
        "pointer": encode(&part.iter().filter_map(|event| row(event, i64::from(batch))).collect::<Vec<_>>()),
        "keys": keys(part),
    })
}

fn counts(events: &[&Value]) -> Value {
    let count = |kind: &str| events.iter().filter(|event| event["k"] == kind).count();
    json!({"move": count("pointermove"), "raw": count("pointerrawupdate")})
}

fn button(rect: &Value, loaded: &Value) -> Value {
    let at = |side: usize| scaled(&rect[side], 100.0);
    json!([{"role": "second", "t": scaled(loaded, 10.0), "x": at(0), "y": at(1), "w": at(2), "h": at(3)}])
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

fn scaled(value: &Value, by: f64) -> i64 {
    units(number(value), by)
}

/// Reads alternating names and values of headers; returns names in lower case.
fn headers(list: &Value) -> Vec<(String, String)> {
    let texts: Vec<&str> = list
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    texts
        .chunks_exact(2)
        .map(|pair| (pair[0].to_lowercase(), pair[1].to_owned()))
        .collect()
}

const KINDS: [&str; 4] = ["pointermove", "pointerdown", "pointerup", "pointercancel"];
const TYPES: [&str; 3] = ["mouse", "pen", "touch"];

/// Returns the row of a pointer event or a click; other events have none.
fn row(event: &Value, role: i64) -> Option<PointerRow> {
    let name = event["k"].as_str()?;
    let kind = KINDS
        .iter()
        .position(|available| *available == name)
        .or((name == "click").then_some(CLICK))?;
    let detail = if kind == CLICK {
        scaled(&event["d"], 1.0) << 2
    } else {
        0
    };
    let pair = |x: &str, y: &str| (scaled(&event[x], 100.0), scaled(&event[y], 100.0));
    let t = scaled(&event["t"], 10.0);
    Some(PointerRow {
        kind,
        t,
        at: pair("x", "y"),
        on_screen: pair("sx", "sy"),
        movement: pair("mx", "my"),
        buttons: scaled(&event["b"], 1.0),
        pressure: scaled(&event["pr"], 1000.0),
        pointer: TYPES
            .iter()
            .position(|available| event["pt"] == *available)
            .unwrap_or(TYPES.len()),
        flags: scaled(&event["tr"], 1.0) | 2 | detail,
        role: if kind == MOVE { 0 } else { role },
        coalesced: event["cn"].as_i64().unwrap_or(-1),
        latency: scaled(&event["h"], 10.0) - t,
    })
}

fn keys(part: &[&Value]) -> Vec<Value> {
    let mut time_before = 0;
    let mut rows = Vec::new();
    for (position, event) in part
        .iter()
        .enumerate()
        .filter(|(_, event)| event["k"] == "keydown")
    {
        let t = scaled(&event["t"], 10.0);
        let up = part[position..]
            .iter()
            .find(|later| later["k"] == "keyup" && later["code"] == event["code"]);
        let hold = up.map_or(-1, |up| scaled(&up["t"], 10.0) - t);
        let flags = scaled(&event["tr"], 1.0) | (i64::from(event["rep"] == true) << 1);
        rows.push(json!([t - time_before, hold, flags]));
        time_before = t;
    }
    rows
}
