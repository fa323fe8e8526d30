//! A recorded session as the evidence of a check: its first click becomes the first press, its last the second.

use serde_json::{Value, json};
use voight_domain::check::{AddressFamily, CallFacts, Challenge, EvidenceBatch, Place};
use voight_domain::ports::CheckEvidence;
use voight_domain::registry::Presses;
use voight_domain::secrets::NetworkHash;
use voight_domain::verdict::LayerKind;
use voight_domain::{CheckId, Environment, EoaAddress, Timestamp};

const OPENED: i64 = 1_795_000_000_000;
/// The made-up stage: its corner is that of the first target, so a seed of zeros draws it there.
const STAGE: f64 = 1000.0;

/// The parts of a check.
pub(crate) struct Check {
    challenge: Challenge,
    second: Option<Place>,
    batches: Vec<EvidenceBatch>,
}

impl Check {
    pub(crate) fn evidence(&self) -> CheckEvidence<'_> {
        let judged_at = Timestamp::from_millis(OPENED + 299_000);
        CheckEvidence {
            challenge: &self.challenge,
            second: self.second,
            batches: &self.batches,
            judged_at,
            completed: true,
        }
    }
}

pub(crate) fn check(session: &Value) -> Check {
    let frame = &session["frame"];
    let events: Vec<&Value> = frame["events"].as_array().unwrap().iter().collect();
    let clicks: Vec<usize> = (0..events.len()).filter(|at| events[*at]["k"] == "click").collect();
    let cut = clicks.first().map_or(events.len(), |at| at + 1);
    let (before, after) = events.split_at(cut);
    let second_click = clicks.last().filter(|_| clicks.len() > 1).map(|at| events[*at]);
    let corner =
        clicks.first().map_or((0.0, 0.0), |at| (number(&events[*at]["x"]) - 37.0, number(&events[*at]["y"]) - 21.0));
    let rect = &frame["rect"];
    let place = Place {
        x: (number(&rect[0]) - corner.0) / (STAGE - number(&rect[2])),
        y: (number(&rect[1]) - corner.1) / (STAGE - number(&rect[3])),
    };
    let pointed = second_click.is_some_and(|click| number(&click["d"]) > 0.0);
    let mut first = document(1, frame, before, 1, &clicks, &events);
    first["env"] = environment(&frame["env"]);
    first["layout"] = layout("first", corner, corner, (120.0, 52.0), number(&frame["tl"]));
    let mut second = document(2, frame, after, 2, &clicks, &events);
    second["env"] = json!({"atSubmit": probe(&frame["cdp2"], &frame["globals2"], &frame["taps"])});
    if pointed {
        let size = (number(&rect[2]), number(&rect[3]));
        second["layout"] = layout("second", corner, (number(&rect[0]), number(&rect[1])), size, number(&frame["tl"]));
    }
    let headers = headers(&session["hdr"]["post"]);
    let arrival = OPENED + whole(number(&frame["tnow"]) - number(&frame["tl"])) + 101;
    let batch = |number, body: &Value| EvidenceBatch {
        challenge: challenge(),
        number,
        received_at: Timestamp::from_millis(arrival),
        call: CallFacts { headers: headers.clone(), network: NetworkHash([0; 16]), family: AddressFamily::V4 },
        body: body.to_string().into_bytes(),
    };
    Check {
        challenge: challenge(),
        second: pointed.then_some(place),
        batches: vec![batch(1, &first), batch(2, &second)],
    }
}

fn challenge() -> Challenge {
    Challenge {
        check: CheckId::from_bytes([1; 16]),
        context: "spring.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap(),
        address: EoaAddress::from_bytes([2; 20]),
        origin: "https://quest.example".parse().unwrap(),
        pinned: false,
        environment: Environment::Live,
        layer: LayerKind::Claimed,
        presses: Presses::Two,
        seed: [0; 8],
        work_bits: 13,
        opened_at: Timestamp::from_millis(OPENED),
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

#[expect(clippy::cast_possible_truncation, reason = "casts saturate")]
fn whole(value: f64) -> i64 {
    value.round() as i64
}

fn scaled(value: &Value, by: f64) -> i64 {
    whole(number(value) * by)
}

fn headers(list: &Value) -> Vec<(String, String)> {
    let texts: Vec<&str> = list.as_array().map_or(Vec::new(), |list| list.iter().filter_map(Value::as_str).collect());
    texts.chunks_exact(2).map(|pair| (pair[0].to_lowercase(), pair[1].to_owned())).collect()
}

fn layout(role: &str, stage: (f64, f64), corner: (f64, f64), size: (f64, f64), t: f64) -> Value {
    let rectangle = |role: &str, corner: (f64, f64), size: (f64, f64)| {
        let hundredths = |value: f64| whole(value * 100.0);
        json!({
            "role": role, "t": whole(t * 10.0),
            "x": hundredths(corner.0), "y": hundredths(corner.1), "w": hundredths(size.0), "h": hundredths(size.1),
        })
    };
    json!([rectangle("stage", stage, (STAGE, STAGE)), rectangle(role, corner, size)])
}

fn document(batch: u8, frame: &Value, part: &[&Value], role: i64, clicks: &[usize], events: &[&Value]) -> Value {
    let end = if batch == 1 { clicks.first().map(|at| &events[*at]["h"]) } else { None };
    let count = |kind: &str| events.iter().filter(|event| event["k"] == kind).count();
    json!({
        "v": 1,
        "ctx": {"contextId": "c", "address": "a", "batch": batch, "clientVersion": "corpus"},
        "clock": {"timeOrigin": OPENED, "load": scaled(&frame["tl"], 10.0), "submit": scaled(end.unwrap_or(&frame["tnow"]), 10.0)},
        "pointer": pointer(part, role),
        "keys": keys(part),
        "counts": {"move": count("pointermove"), "raw": count("pointerrawupdate")},
    })
}

const KINDS: [&str; 4] = ["pointermove", "pointerdown", "pointerup", "pointercancel"];
const TYPES: [&str; 3] = ["mouse", "pen", "touch"];

fn pointer(part: &[&Value], role: i64) -> Vec<Value> {
    let mut before = [0; 5];
    let mut rows = Vec::new();
    for event in part {
        let name = event["k"].as_str().unwrap_or_default();
        let Some(kind) = KINDS.iter().position(|known| *known == name).or((name == "click").then_some(6)) else {
            continue;
        };
        let at = [("t", 10.0), ("x", 100.0), ("y", 100.0), ("sx", 100.0), ("sy", 100.0)]
            .map(|(m, by)| scaled(&event[m], by));
        let mut deltas = at;
        deltas.iter_mut().zip(before).for_each(|(value, known)| *value -= known);
        before = at;
        let detail = if kind == 6 { scaled(&event["d"], 1.0) << 2 } else { 0 };
        let flags = scaled(&event["tr"], 1.0) | 2 | detail;
        let pointer = TYPES.iter().position(|known| event["pt"] == *known).unwrap_or(3);
        let [dt, dx, dy, dsx, dsy] = deltas;
        let role = if kind == 0 { 0 } else { role };
        let coalesced = event["cn"].as_i64().unwrap_or(-1);
        let latency = scaled(&event["h"], 10.0) - at[0];
        rows.push(json!([
            kind,
            dt,
            dx,
            dy,
            dsx,
            dsy,
            scaled(&event["mx"], 100.0),
            scaled(&event["my"], 100.0),
            scaled(&event["b"], 1.0),
            scaled(&event["pr"], 1000.0),
            pointer,
            flags,
            role,
            coalesced,
            -1,
            latency,
            []
        ]));
    }
    rows
}

fn keys(part: &[&Value]) -> Vec<Value> {
    let mut before = 0;
    let mut rows = Vec::new();
    for (place, event) in part.iter().enumerate().filter(|(_, event)| event["k"] == "keydown") {
        let t = scaled(&event["t"], 10.0);
        let up = part[place..].iter().find(|later| later["k"] == "keyup" && later["code"] == event["code"]);
        let hold = up.map_or(-1, |up| scaled(&up["t"], 10.0) - t);
        let flags = scaled(&event["tr"], 1.0) | (i64::from(event["rep"] == true) << 1);
        rows.push(json!([t - before, hold, flags]));
        before = t;
    }
    rows
}

/// The members that are there.
fn present(value: Value) -> Value {
    let Value::Object(members) = value else { return value };
    Value::Object(members.into_iter().filter(|(_, found)| !found.is_null()).collect())
}

fn probe(debugger: &Value, globals: &Value, taps: &Value) -> Value {
    let names = globals.as_array().into_iter().flatten().filter_map(Value::as_str);
    let names: Vec<&str> = names.map(|name| name.split_once(':').map_or(name, |(_, name)| name)).take(32).collect();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let stack = |tap: &Value| format!("{}: {}", text(&tap["k"]), text(&tap["s"])).chars().take(160).collect::<String>();
    let stacks: Vec<String> = taps.as_array().into_iter().flatten().map(stack).take(16).collect();
    let debugger = json!({"prepare": debugger["prepStack"].as_i64(), "name": debugger["nameGetter"].as_i64()});
    json!({"globals": names, "debugger": present(debugger), "stacks": stacks})
}

fn environment(env: &Value) -> Value {
    let stack = env["stack"].as_str().unwrap_or_default();
    let shapes = [("\n    at ", "v8"), ("@", "spidermonkey")];
    let shape = shapes.into_iter().find(|(mark, _)| stack.contains(mark)).map_or("other", |(_, shape)| shape);
    let brands: Vec<Value> = env["uad"]["b"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|brand| json!([brand["brand"], brand["version"]]))
        .collect();
    let hints = (!brands.is_empty())
        .then(|| present(json!({"brands": brands, "mobile": env["uad"]["m"], "platform": env["uad"]["p"]})));
    let worker = &env["worker"];
    let frame = &env["iframe"];
    present(json!({
        "ua": env["ua"], "platform": env["pl"], "vendor": env["vendor"], "timeZone": env["tz"], "languages": env["langs"],
        "hints": hints,
        "devicePixelRatio": env["win"]["dpr"],
        "position": present(json!({"x": env["win"]["sx"], "y": env["win"]["sy"]})),
        "media": media(&env["mq"]),
        "webdriver": present(json!({"value": env["wd"]["val"], "own": env["wd"]["own"], "inPrototype": env["wd"]["inProto"]})),
        "engine": present(json!({"errorShape": shape, "evalLength": env["evalLen"]})),
        "worker": present(json!({"ua": worker["ua"], "platform": worker["pl"], "timeZone": worker["tz"]})),
        "frame": present(json!({"ua": frame["ua"], "platform": frame["pl"], "webdriver": frame["wd"].as_bool()})),
        "atLoad": probe(&env["cdp"], &env["globals"], &Value::Null),
    }))
}

fn media(queries: &Value) -> Value {
    let fine = queries["anyfine"].as_bool();
    let pointing = fine.map(|fine| {
        if fine {
            "fine"
        } else if queries["coarse"] == true {
            "coarse"
        } else {
            "none"
        }
    });
    present(json!({"hover": queries["hover"], "anyHover": queries["anyhover"], "anyPointer": pointing}))
}
