//! Evidence that tries to stall the assessor: bodies of the maximum size, and some that the parser rejects.

use crate::evidence::{SyntheticCheck, chromium};
use anyhow::Result;
use serde_json::{Value, json};
use std::iter::repeat_n;
use voight_detect::evidence_schema::MAX_BYTES;

/// Builder of the body of a batch with a number.
type BatchBuilder = fn(u8) -> Vec<u8>;

/// Returns each kind of hostile evidence, in all three batches of a check.
pub(super) fn checks() -> Result<Vec<(&'static str, SyntheticCheck)>> {
    let kinds: [(&str, BatchBuilder); 8] = [
        ("1,200 moves", |batch| {
            batch_with_member(batch, "pointer", &moves())
        }),
        ("1,200 presses", |batch| {
            batch_with_member(batch, "pointer", &presses(batch))
        }),
        ("presses alternating with moves and releases", |batch| {
            batch_with_member(batch, "pointer", &mixed(batch))
        }),
        ("lists of coalesced times", |batch| {
            batch_with_member(batch, "pointer", &coalesced())
        }),
        ("every list of maximum length", every_list),
        ("globals and stacks of drivers", drivers),
        ("one deep list", |_| nested()),
        ("one list of small numbers", |batch| {
            batch_with_member(batch, "pointer", &json!(vec![0; MAX_BYTES / 2 - 2000]))
        }),
    ];
    let check = |(name, body): (&'static str, BatchBuilder)| {
        let bodies = (1..=3).map(body).collect();
        Ok((
            name,
            SyntheticCheck::of_bodies(bodies, &chromium::headers())?,
        ))
    };
    kinds.into_iter().map(check).collect()
}

fn document(batch: u8) -> Value {
    let ctx = json!({"contextId": "c", "address": "a", "batch": batch, "clientVersion": "hostile"});
    let mut document = json!({"v": 1, "ctx": ctx, "clock": {"load": 0, "submit": 2_000_000}});
    document["env"] = chromium::environment();
    document["env"]["atSubmit"] = chromium::probe();
    document["counts"] = json!({"move": 1200, "raw": 1200});
    document
}

fn batch_with_member(batch: u8, member: &str, value: &Value) -> Vec<u8> {
    let mut document = document(batch);
    document[member] = value.clone();
    document.to_string().into_bytes()
}

fn row(kind: u8, role: u8, at: i64) -> Value {
    json!([
        kind,
        160 + at % 7,
        at % 3 - 1,
        1,
        1,
        1,
        1,
        1,
        1,
        0,
        0,
        7,
        role,
        1,
        -1,
        40,
        []
    ])
}

fn moves() -> Value {
    (0..1200).map(|at| row(0, 0, at)).collect()
}

fn presses(batch: u8) -> Value {
    (0..1200)
        .map(|at| row(if at % 2 == 0 { 1 } else { 6 }, batch.min(2), at))
        .collect()
}

fn mixed(batch: u8) -> Value {
    (0..1200)
        .map(|at| {
            row(
                [0, 1, 2, 6][usize::try_from(at % 4).unwrap_or(0)],
                batch.min(2),
                at,
            )
        })
        .collect()
}

fn coalesced() -> Value {
    let row = |_| {
        json!([
            0,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            1,
            0,
            0,
            3,
            0,
            16,
            -1,
            40,
            vec![1; 16]
        ])
    };
    (0..850).map(row).collect()
}

fn every_list(batch: u8) -> Vec<u8> {
    let mut document = document(batch);
    document["pointer"] = (0..700).map(|at| row(0, 0, at)).collect();
    document["keys"] = repeat_n(json!([1, 0, 1]), 200).collect();
    document["touches"] = repeat_n(json!([0, 1, 1, 1, 1, 1, 1, 1, 1]), 400).collect();
    document["focus"] = repeat_n(json!([0, 1, 0]), 100).collect();
    document["visibility"] = repeat_n(json!([1, 0]), 50).collect();
    document["layout"] = repeat_n(
        json!({"role": "first", "t": 1, "x": 1, "y": 1, "w": 1, "h": 1}),
        16,
    )
    .collect();
    document.to_string().into_bytes()
}

fn drivers(batch: u8) -> Vec<u8> {
    let mut document = document(batch);
    let names: Vec<String> = (0..32)
        .map(|at| format!("cdc_{at}{}", "a".repeat(480)))
        .collect();
    let stacks: Vec<String> = (0..16)
        .map(|at| format!("querySelector: {at}{}", "<anonymous>;".repeat(11)))
        .collect();
    for look in ["atLoad", "atSubmit"] {
        document["env"][look]["globals"] = json!(names);
        document["env"][look]["stacks"] = json!(stacks);
    }
    document["pointer"] = mixed(batch)
        .as_array()
        .into_iter()
        .flatten()
        .take(300)
        .cloned()
        .collect();
    document.to_string().into_bytes()
}

fn nested() -> Vec<u8> {
    let half = MAX_BYTES / 2;
    let mut body = vec![b'['; half];
    body.resize(MAX_BYTES, b']');
    body
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_detect::evidence_schema::EvidenceDocument;

    #[test]
    fn hostile_bodies_have_the_maximum_size() {
        let checks = checks().unwrap();
        let readable = checks.iter().filter(|(_, check)| {
            check
                .bodies()
                .all(|body| EvidenceDocument::read(body).is_ok())
        });
        assert_eq!(readable.count(), checks.len() - 2);
        for (name, check) in &checks {
            assert!(check.bodies().all(|body| body.len() <= MAX_BYTES), "{name}");
            assert!(
                check.bodies().all(|body| body.len() > MAX_BYTES / 2),
                "{name}"
            );
        }
    }
}
