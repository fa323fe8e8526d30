//! Limits of the schema, and robustness of the parser against hostile input.

use super::EvidenceDocument;
use crate::RuleAssessor;
use crate::testing::CheckBuilder;
use proptest::prelude::*;
use serde_json::{Value, json};
use voight_domain::check::Member;

/// Returns the error of a batch after a change.
fn fault(change: impl FnOnce(&mut Value)) -> String {
    let mut body = CheckBuilder::person().first;
    change(&mut body);
    EvidenceDocument::read(body.to_string().as_bytes())
        .unwrap_err()
        .to_string()
}

fn accepted(change: impl FnOnce(&mut Value)) -> EvidenceDocument {
    let mut body = CheckBuilder::person().first;
    change(&mut body);
    EvidenceDocument::read(body.to_string().as_bytes()).unwrap()
}

#[test]
fn batch_is_decoded_to_absolute_values() {
    let batch = accepted(|_| {});
    let first = batch.pointer.first().unwrap();
    let last = batch.pointer.last().unwrap();
    assert_eq!((first.t, first.x, first.y), (20_003, 4000, 33_000));
    assert_eq!(
        (last.x, last.y, last.screen_x, last.detail),
        (21_000, 18_100, 51_000, 1)
    );
    assert_eq!(
        (
            batch.ctx.batch,
            &*batch.ctx.client_version,
            batch.layout.len()
        ),
        (1, "1", 2)
    );
}

#[test]
fn only_version_and_context_are_required() {
    let ctx = json!({"contextId": "c", "address": "a", "batch": 3, "clientVersion": "1"});
    assert!(EvidenceDocument::read(json!({"v": 1, "ctx": ctx}).to_string().as_bytes()).is_ok());
    for member in ["v", "ctx"] {
        assert_eq!(
            fault(|body| drop(body.as_object_mut().unwrap().remove(member))),
            format!("{member}: is missing, but must be there")
        );
    }
    assert_eq!(
        fault(|body| drop(body["ctx"].as_object_mut().unwrap().remove("batch"))),
        "ctx.batch: is missing, but must be there"
    );
}

/// Change of a batch.
type Change = fn(&mut Value);

/// Changes of a batch that make it invalid, and the error of each.
const INVALID_CHANGES: [(Change, &str); 17] = [
    (
        |b| b["v"] = 2.into(),
        "v: must be 1, the only schema version, not 2",
    ),
    (
        |b| b["ctx"]["batch"] = 4.into(),
        "ctx.batch: must be 1, 2 or 3, not 4",
    ),
    (
        |b| b["ctx"] = json!(["c", "a", 1, null, "1"]),
        "ctx: must be an object, not a list",
    ),
    (
        |b| b["env"]["screen"] = json!([1, 2, 3, 4, 5]),
        "env.screen: must be an object, not a list",
    ),
    (
        |b| b["env"]["ua"] = 5.into(),
        "env.ua: must be a text, not an integer",
    ),
    (
        |b| b["env"]["platform"] = Value::Null,
        "env.platform: must be a text, not null",
    ),
    (
        |b| b["env"]["webdriver"]["value"] = 1.into(),
        "env.webdriver.value: must be true or false, not an integer",
    ),
    (
        |b| b["env"]["media"]["pointer"] = "thick".into(),
        "env.media.pointer: must be one of none, coarse, fine",
    ),
    (
        |b| b["env"]["engine"]["errorShape"] = "x".into(),
        "env.engine.errorShape: must be one of v8, spidermonkey, jsc, other",
    ),
    (
        |b| b["env"]["hints"]["brands"] = json!([["a"]]),
        "env.hints.brands[0]: must have exactly 2 values, not 1",
    ),
    (
        |b| b["mood"] = 1.into(),
        "mood: is not a member of schema version 1; leave it out",
    ),
    (
        |b| b["a\nb"] = 1.into(),
        r"a\nb: is not a member of schema version 1; leave it out",
    ),
    (
        |b| b["env"]["atLoad"]["x"] = 1.into(),
        "env.atLoad.x: is not a member of schema version 1; leave it out",
    ),
    (
        |b| b["pointer"][3][0] = 7.into(),
        "pointer[3][0]: must be an integer from 0 to 6, not 7",
    ),
    (
        |b| b["pointer"][3][1] = 1.5.into(),
        "pointer[3][1]: must be an integer, not a number with a fraction or out of range",
    ),
    (
        |b| b["pointer"][0][16] = vec![0; 17].into(),
        "pointer[0][16]: must have at most 16 elements, not 17",
    ),
    (
        |b| b["layout"][0]["role"] = "door".into(),
        "layout[0].role: must be one of stage, first, second, other",
    ),
];

#[test]
fn errors_name_the_member_and_a_valid_value() {
    for (change, message) in INVALID_CHANGES {
        assert_eq!(fault(change), message);
    }
}

#[test]
fn lists_and_texts_have_limits() {
    let limits = [
        ("keys", 200, json!([1, 1, 1])),
        ("touches", 400, json!([0, 1, 0, 0, 0, 0, 0, 0, 1])),
        ("focus", 100, json!([0, 1, 0])),
        ("visibility", 50, json!([1, 0])),
        (
            "layout",
            16,
            json!({"role": "other", "t": 0, "x": 0, "y": 0, "w": 1, "h": 1}),
        ),
    ];
    for (member, limit, row) in limits {
        accepted(|body| body[member] = vec![row.clone(); limit].into());
        let expected_fault = format!(
            "{member}: must have at most {limit} elements, not {}",
            limit + 1
        );
        assert_eq!(
            fault(|body| body[member] = vec![row.clone(); limit + 1].into()),
            expected_fault
        );
    }
    let texts = [
        ("/env/ua", 512),
        ("/env/atLoad/stacks/0", 160),
        ("/ctx/clientVersion", 32),
        ("/device/canvas", 128),
    ];
    for (place, limit) in texts {
        let set_text = |body: &mut Value, length: usize| {
            body["device"] = json!({"canvas": ""});
            body["env"]["atLoad"]["stacks"] = json!([""]);
            *body.pointer_mut(place).unwrap() = "é".repeat(length).into();
        };
        accepted(|body| set_text(body, limit));
        assert!(
            fault(|body| set_text(body, limit + 1))
                .ends_with(&format!("must be at most {limit} characters long"))
        );
    }
}

#[test]
fn oversized_bodies_are_rejected() {
    let row = json!([0, 160, 1, 1, 1, 1, 1, 1, 0, 0, 0, 3, 0, 1, 0, 9, []]);
    assert_eq!(
        accepted(|body| body["pointer"] = vec![row.clone(); 1200].into())
            .pointer
            .len(),
        1200
    );
    let long = vec![b' '; super::MAX_BYTES + 1];
    assert_eq!(
        EvidenceDocument::read(&long).unwrap_err().to_string(),
        "the evidence must be at most 65536 bytes, not 65537"
    );
    assert!(
        fault(|body| body["pointer"] = vec![row.clone(); 1201].into()).contains("1200 elements")
    );
}

#[test]
fn documents_other_than_one_object_are_rejected() {
    for body in [
        "",
        "[]",
        "null",
        "1",
        "\"v\"",
        "{}{}",
        "\u{feff}{}",
        "{\"v\":1,\"v\":1}",
    ] {
        assert!(EvidenceDocument::read(body.as_bytes()).is_err(), "{body:?}");
    }
}

/// Calls `look` with every documented member and its path.
fn every_member(members: &[Member], path: &str, look: &mut impl FnMut(&str, &Member)) {
    for (at, member) in members.iter().enumerate() {
        let path = format!("{path}.{}", member.name);
        assert!(
            members[..at]
                .iter()
                .all(|sibling| sibling.name != member.name),
            "{path} is described of twice"
        );
        look(&path, member);
        every_member(member.members, &path, look);
    }
}

#[test]
fn members_are_on_the_reference_page() {
    let page = include_str!("../../../../docs/reference/window-protocol.md");
    let mut count = 0;
    for section in EvidenceDocument::MEMBERS {
        every_member(section.members, "", &mut |path, member| {
            let sentence =
                member.about.starts_with(char::is_uppercase) && member.about.ends_with('.');
            assert!(
                sentence && member.about.len() > 8,
                "{path}: {:?}",
                member.about
            );
            assert!(
                page.contains(member.name),
                "{path} is not on the reference page"
            );
            count += 1;
        });
    }
    assert!(count > 150, "{count}");
}

#[test]
fn batch_members_are_described() {
    let mut described_paths = Vec::new();
    for section in EvidenceDocument::MEMBERS {
        every_member(section.members, "", &mut |path, _| {
            described_paths.push(path.to_owned());
        });
    }
    let mut sent_paths = Vec::new();
    let mut look = |value: &Value| names(value, "", &mut sent_paths);
    let person = CheckBuilder::person();
    look(&person.first);
    look(&person.second);
    assert!(sent_paths.len() > 60, "{sent_paths:?}");
    assert!(
        sent_paths.iter().all(|path| described_paths.contains(path)),
        "{sent_paths:?}"
    );
}

/// Collects the paths of all members in a document.
fn names(value: &Value, path: &str, found: &mut Vec<String>) {
    match value {
        Value::Array(list) => list.iter().for_each(|value| names(value, path, found)),
        Value::Object(map) => {
            for (name, value) in map {
                let path = format!("{path}.{name}");
                names(value, &path, found);
                found.push(path);
            }
        }
        _ => {}
    }
}

/// Puts a hostile value into one position of a valid document.
fn mutated(mut body: Value, place: usize, value: Value) -> Value {
    fn places(value: &Value, path: &str, found: &mut Vec<String>) {
        found.push(path.to_owned());
        match value {
            Value::Array(list) => list
                .iter()
                .enumerate()
                .for_each(|(at, v)| places(v, &format!("{path}/{at}"), found)),
            Value::Object(map) => map
                .iter()
                .for_each(|(name, v)| places(v, &format!("{path}/{name}"), found)),
            _ => {}
        }
    }
    let mut member_places = Vec::new();
    places(&body, "", &mut member_places);
    let at = &member_places[place % member_places.len()];
    *body.pointer_mut(at).unwrap() = value;
    body
}

fn hostile() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<i64>().prop_map(Value::from),
        Just(i64::MIN.into()),
        Just(i64::MAX.into()),
        Just(u64::MAX.into()),
        any::<f64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        Just(Value::Null),
        Just(json!([])),
        Just(json!({})),
        Just(vec![i64::MIN; 17].into()),
    ]
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes: Vec<u8>) {
        let _ = EvidenceDocument::read(&bytes);
        let _ = CheckBuilder::person().judge_bytes(bytes);
    }

    #[test]
    fn changed_batches_never_panic(changes in prop::collection::vec((any::<usize>(), hostile()), 1..4), second: bool) {
        let mut draft = CheckBuilder::person();
        for (place, value) in changes {
            let body = if second { &mut draft.second } else { &mut draft.first };
            *body = mutated(body.take(), place, value);
        }
        let _ = draft.judged(&RuleAssessor::new(), &draft.batches());
        if EvidenceDocument::read(draft.first.to_string().as_bytes()).is_ok() && EvidenceDocument::read(draft.second.to_string().as_bytes()).is_ok() {
            let _ = draft.assess();
        }
    }

    #[test]
    fn damaged_batches_never_panic(cut: usize, flip: usize, to: u8) {
        let mut bytes = CheckBuilder::person().first.to_string().into_bytes();
        prop_assert!(EvidenceDocument::read(&bytes[..cut % bytes.len()]).is_err());
        let place = flip % bytes.len();
        bytes[place] = to;
        let _ = CheckBuilder::person().judge_bytes(bytes);
    }
}
