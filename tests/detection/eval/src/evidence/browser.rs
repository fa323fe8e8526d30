//! Converts the environment of a recorded browser to the wire format. Missing members are omitted.

use serde_json::{Value, json};

/// Returns the environment at load.
pub(super) fn environment(env: &Value) -> Value {
    let worker = &env["worker"];
    let frame = &env["iframe"];
    let screen = &env["scr"];
    let window = &env["win"];
    present(json!({
        "ua": env["ua"], "platform": env["pl"], "vendor": env["vendor"], "timeZone": env["tz"],
        "languages": env["langs"],
        "hints": hints(&env["uad"]),
        "hardwareConcurrency": env["hc"], "deviceMemory": env["dm"], "maxTouchPoints": env["mtp"],
        "timeZoneOffset": env["tzo"],
        "screen": present(json!({"w": screen["w"], "h": screen["h"], "availW": screen["aw"], "availH": screen["ah"],
            "depth": screen["cd"]})),
        "outer": present(json!({"w": window["ow"], "h": window["oh"]})),
        "inner": present(json!({"w": window["iw"], "h": window["ih"]})),
        "position": present(json!({"x": window["sx"], "y": window["sy"]})),
        "devicePixelRatio": window["dpr"],
        "viewport": present(json!({"w": window["vv"][0], "h": window["vv"][1], "scale": window["vv"][2]})),
        "media": media(&env["mq"]),
        "webdriver": present(json!({"value": env["wd"]["val"], "own": env["wd"]["own"],
            "inPrototype": env["wd"]["inProto"]})),
        "engine": present(json!({"errorShape": error_shape(&env["stack"]), "evalLength": env["evalLen"]})),
        "worker": present(json!({"ua": worker["ua"], "platform": worker["pl"], "timeZone": worker["tz"],
            "languages": worker["langs"], "hardwareConcurrency": worker["hc"]})),
        "frame": present(json!({"ua": frame["ua"], "platform": frame["pl"], "webdriver": frame["wd"].as_bool(),
            "languages": frame["langs"], "hardwareConcurrency": frame["hc"]})),
        "atLoad": probe(&env["cdp"], &env["globals"], &Value::Null),
    }))
}

/// Returns a probe for a driver.
pub(super) fn probe(debugger: &Value, globals: &Value, taps: &Value) -> Value {
    let names = globals
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    let names: Vec<&str> = names
        .map(|name| name.split_once(':').map_or(name, |(_, name)| name))
        .take(32)
        .collect();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let stack = |tap: &Value| {
        format!("{}: {}", text(&tap["k"]), text(&tap["s"]))
            .chars()
            .take(160)
            .collect::<String>()
    };
    let stacks: Vec<String> = taps
        .as_array()
        .into_iter()
        .flatten()
        .map(stack)
        .take(16)
        .collect();
    let debugger =
        json!({"prepare": debugger["prepStack"].as_i64(), "name": debugger["nameGetter"].as_i64()});
    json!({"globals": names, "debugger": present(debugger), "stacks": stacks})
}

/// Removes null members.
fn present(value: Value) -> Value {
    let Value::Object(members) = value else {
        return value;
    };
    Value::Object(
        members
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .collect(),
    )
}

fn error_shape(stack: &Value) -> &'static str {
    let stack = stack.as_str().unwrap_or_default();
    let shapes = [("\n    at ", "v8"), ("@", "spidermonkey")];
    shapes
        .into_iter()
        .find(|(mark, _)| stack.contains(mark))
        .map_or("other", |(_, shape)| shape)
}

fn hints(data: &Value) -> Option<Value> {
    let versions = |list: &Value| -> Vec<Value> {
        let pair = |brand: &Value| json!([brand["brand"], brand["version"]]);
        list.as_array().into_iter().flatten().map(pair).collect()
    };
    let brands = versions(&data["b"]);
    let high = &data["he"];
    (!brands.is_empty()).then(|| {
        present(json!({
            "brands": brands, "mobile": data["m"], "platform": data["p"], "platformVersion": high["platformVersion"],
            "architecture": high["architecture"], "bitness": high["bitness"], "model": high["model"],
            "fullVersions": versions(&high["fullVersionList"]), "wow64": high["wow64"],
        }))
    })
}

fn media(queries: &Value) -> Value {
    let fine = queries["anyfine"].as_bool();
    let pointing = fine.map(|fine| match (fine, queries["coarse"] == true) {
        (true, _) => "fine",
        (false, true) => "coarse",
        (false, false) => "none",
    });
    present(
        json!({"hover": queries["hover"], "anyHover": queries["anyhover"], "anyPointer": pointing}),
    )
}
