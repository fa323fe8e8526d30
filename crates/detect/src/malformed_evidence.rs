//! Adversarial evidence: each kind must be rejected with a named error and never produce a verdict.

use crate::evidence_schema::EvidenceDocument;
use crate::testing::{CheckBuilder, encode};
use serde_json::{Value, json};
use voight_domain::check::GateRejection;
use voight_domain::ports::Judgement;

#[track_caller]
fn fault(body: &[u8]) -> String {
    EvidenceDocument::read(body).unwrap_err().to_string()
}

fn text(change: impl FnOnce(&mut Value)) -> String {
    let mut body = CheckBuilder::person().first;
    change(&mut body);
    body.to_string()
}

#[track_caller]
fn assert_rejected(draft: &CheckBuilder, reason: GateRejection) {
    assert_eq!(draft.judge(), Judgement::Rejected(reason));
}

/// Shifts the times of all pointer events of a batch.
fn shift(batch: &mut Value, by: i64) {
    let t = &mut batch["pointer"][0][1];
    *t = (t.as_i64().unwrap() + by).into();
}

#[test]
fn huge() {
    let long_text = text(|body| body["env"]["ua"] = "x".repeat(70_000).into());
    assert!(fault(long_text.as_bytes()).contains("at most 65536 bytes"));
    assert!(
        fault(text(|body| body["pointer"] = json!(vec![json!([]); 1201])).as_bytes())
            .contains("1200 elements")
    );
    let digits = text(|_| {}).replace("\"v\":1", &format!("\"v\":{}", "1".repeat(30_000)));
    assert!(fault(digits.as_bytes()).contains("must be"));
}

#[test]
fn deep() {
    for open in ["[", "{\"a\":"] {
        assert!(
            fault(open.repeat(8000).as_bytes()).contains("levels of nesting"),
            "{open}"
        );
    }
    let inside = text(|body| body["env"]["screen"] = json!([[[[[[[[[[]]]]]]]]]]));
    assert!(fault(inside.as_bytes()).contains("levels of nesting"));
}

#[test]
fn no_number() {
    for number in [
        "NaN",
        "Infinity",
        "-Infinity",
        "1e999",
        "-1e999",
        "0x10",
        "1_000",
        "01",
        "+1",
        ".5",
        "\"1\"",
        "null",
    ] {
        let body =
            text(|body| body["env"]["devicePixelRatio"] = 12_345.into()).replace("12345", number);
        assert!(!fault(body.as_bytes()).is_empty(), "{number}");
    }
    let body = text(|body| body["pointer"][0][1] = 12_345.into());
    for number in ["1.5", "1e3", "18446744073709551616", "null", "true"] {
        let message = fault(body.replacen("12345", number, 1).as_bytes());
        assert!(
            message.starts_with("pointer[0][1]: must be an integer"),
            "{number}: {message}"
        );
    }
}

#[test]
fn foreign_encodings() {
    let body = text(|_| {});
    let wide: Vec<u8> = body.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let with_byte_order_mark: Vec<u8> = [&b"\xef\xbb\xbf"[..], body.as_bytes()].concat();
    let latin = text(|body| body["env"]["platform"] = "?".into())
        .replace('?', "\u{1}")
        .into_bytes();
    let latin: Vec<u8> = latin
        .into_iter()
        .map(|byte| if byte == 1 { 0xe9 } else { byte })
        .collect();
    let gzip = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0];
    let surrogate = body.replace("Linux x86_64", "\\ud800");
    for bytes in [
        &wide[..],
        &with_byte_order_mark,
        &latin,
        &gzip,
        surrogate.as_bytes(),
    ] {
        assert!(
            fault(bytes).starts_with("the evidence must be one JSON object"),
            "{:?}",
            &bytes[..4]
        );
    }
}

#[test]
fn negative_in_time() {
    for by in [-60_000, i64::MIN / 2] {
        let mut draft = CheckBuilder::person();
        shift(&mut draft.first, by);
        assert_rejected(&draft, GateRejection::ImpossibleTiming);
    }
    let mut clock = CheckBuilder::person();
    clock.first["clock"] = json!({"timeOrigin": -1, "load": -90_000, "submit": -1});
    assert_rejected(&clock, GateRejection::ImpossibleTiming);
}

#[test]
fn from_the_future() {
    for by in [60_000, i64::MAX / 2] {
        let mut draft = CheckBuilder::person();
        shift(&mut draft.second, by);
        assert_rejected(&draft, GateRejection::ImpossibleTiming);
    }
    let mut draft = CheckBuilder::person();
    draft.second["clock"]["submit"] = 4_000_000.into();
    assert_rejected(&draft, GateRejection::ImpossibleTiming);
}

#[test]
fn out_of_order() {
    // One event goes back in time, and the next one forward again.
    for (back, allowed) in [(14_000, true), (15_001, false)] {
        let mut draft = CheckBuilder::person();
        for batch in [&mut draft.first, &mut draft.second] {
            batch["clock"]["load"] = 0.into();
        }
        draft.first["pointer"][2][1] = (-back).into();
        draft.first["pointer"][3][1] = (back + 320).into();
        assert_eq!(
            matches!(draft.judge(), Judgement::Assessed(_)),
            allowed,
            "{back}"
        );
    }

    let mut earlier = CheckBuilder::person();
    shift(&mut earlier.second, -18_400);
    assert_rejected(&earlier, GateRejection::ImpossibleTiming);

    let mut draft = CheckBuilder::person();
    (draft.first["ctx"]["batch"], draft.second["ctx"]["batch"]) = (2.into(), 1.into());
    assert!(matches!(draft.judge(), Judgement::Rejected(_)));
}

#[test]
fn from_two_pages_at_once() {
    for (member, value) in [
        ("timeOrigin", json!(1_800_000_000_002_i64)),
        ("load", json!(9001)),
    ] {
        let mut draft = CheckBuilder::person();
        draft.second["clock"][member] = value;
        assert_rejected(&draft, GateRejection::ImpossibleTiming);
    }
    let mut twice = CheckBuilder::person();
    twice.second["pointer"] = twice.first["pointer"].clone();
    assert_rejected(&twice, GateRejection::LayoutMismatch);
}

#[test]
fn evidence_of_extremes_overflows_nowhere() {
    for extreme in [i64::MIN, i64::MAX, i64::MIN + 1, -1] {
        let rows: Vec<[i64; 16]> = (0..1200)
            .map(|at| {
                let mut row = [extreme; 16];
                (row[0], row[10], row[12]) = (at % 7, at % 4, at % 4);
                row
            })
            .collect();
        let mut draft = CheckBuilder::person();
        for batch in [&mut draft.first, &mut draft.second] {
            batch["pointer"] =
                Value::Array(rows.iter().map(|row| with_times(row, extreme)).collect());
            batch["keys"] = json!(vec![[extreme, extreme, 1]; 200]);
            batch["touches"] = json!(vec![
                json!([
                    0, extreme, extreme, extreme, 0, extreme, extreme, extreme, 1
                ]);
                400
            ]);
            batch["layout"] = json!(vec![
                json!({"role": "stage", "t": extreme, "x": extreme, "y": extreme, "w": extreme,
                "h": extreme});
                16
            ]);
            batch["counts"] =
                json!({"move": extreme, "raw": extreme, "down": extreme, "key": extreme});
            batch["clock"] = json!({"timeOrigin": extreme, "load": extreme, "submit": extreme});
            // Only the numbers matter here, so the body may be longer than the limit.
            batch["pointer"].as_array_mut().unwrap().truncate(100);
            batch["touches"].as_array_mut().unwrap().truncate(40);
            batch["keys"].as_array_mut().unwrap().truncate(60);
        }
        assert!(matches!(draft.judge(), Judgement::Rejected(_)), "{extreme}");
        let assessment = draft.assess();
        assert!(
            !assessment.hard && assessment.human.as_milli() >= 0,
            "{extreme}"
        );
    }
}

fn with_times(row: &[i64; 16], time: i64) -> Value {
    let mut encoded_row = encode(&[*row])[0].clone();
    encoded_row[16] = json!([time, time]);
    encoded_row
}
