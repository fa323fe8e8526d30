//! Evidence for tests: a person's check by pointer or by keys, of which a test changes one part.

mod document;
mod rows;

pub(crate) use document::{WINDOWS, env};
pub(crate) use rows::{batch, click, encode, event};

use crate::RuleAssessor;
use crate::evidence_schema::EvidenceDocument;
use crate::facts::CheckFacts;
use crate::gate::ParsedBatch;
use crate::model::{Model, ModelParameters, Scale, Split, Tree};
use crate::policy::DetectionPolicy;
use document::{headers, layout, probe};
use rows::path;
use serde_json::{Value, json};
use voight_domain::check::{
    AddressFamily, Challenge, EvidenceBatch, RequestMetadata, TargetPosition,
};
use voight_domain::ports::{Assessor, CheckEvidence, EvidenceError, Judgement};
use voight_domain::registry::PressCount;
use voight_domain::secrets::NetworkHash;
use voight_domain::verdict::{Assessment, LayerKind};
use voight_domain::{CheckId, Environment, EoaAddress, Timestamp};

pub(crate) const SECOND: TargetPosition = TargetPosition { x: 0.9, y: 0.9 };
/// Opening of the check on the window's clock, in ms.
const OPENED: i64 = 1500;

/// Creates a model that assigns `nats` to every movement with a length.
pub(crate) fn model_saying(nats: f64) -> Model {
    let tree = Tree {
        splits: vec![Split(0, 0.0, -1, -1)],
        leaves: vec![nats],
    };
    let scale = Scale {
        slope: 1.0,
        offset: 0.0,
    };
    Model::new(ModelParameters::new(
        9,
        vec!["path_log_chord".to_owned()],
        scale,
        vec![tree],
    ))
    .unwrap()
}

/// Check that a test can change before it is judged.
#[derive(Clone)]
pub(crate) struct CheckBuilder {
    pub(crate) first: Value,
    pub(crate) second: Value,
    pub(crate) seed: [u8; 8],
    pub(crate) second_place: Option<TargetPosition>,
    /// Arrival of the batches, in ms after the opening.
    pub(crate) received_after: [i64; 2],
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) completed: bool,
}

impl CheckBuilder {
    /// Builds a check of a person with a mouse, in Chromium on Linux.
    pub(crate) fn person() -> Self {
        // The first target's corner is at (156, 162), the second's at (268, 323).
        let seed = [128, 0, 64, 0, 0, 0, 0, 0];
        let place = TargetPosition::from_random([128, 0, 64, 0]);
        let mut draft = Self::empty(seed);
        draft.second_place = Some(SECOND);
        draft.first["layout"] = layout("first", place, 16_000);
        draft.second["layout"] = layout("second", SECOND, 34_000);
        draft.first["pointer"] = encode(&path(20_003, (40, 330), (210, 181), 1));
        draft.second["pointer"] = encode(&path(36_003, (212, 183), (330, 361), 2));
        draft.second["counts"] = json!({"move": 62, "raw": 118, "down": 2, "up": 2, "click": 2, "key": 0, "touch": 0, "wheel": 0});
        draft
    }

    /// Builds a check of a person who uses keys only: Tab, then Enter.
    pub(crate) fn keyboard() -> Self {
        let mut draft = Self::person();
        draft.second_place = None;
        draft.second["layout"] = json!([]);
        draft.second["pointer"] = json!([]);
        draft.first["pointer"] = encode(&[click(26_003, 216, 188, 0, 1)]);
        draft.first["keys"] = json!([[21_003, 930, 1], [5000, 810, 1]]);
        draft.second["counts"] = json!({"move": 0, "raw": 0, "down": 0, "up": 0, "click": 1, "key": 2, "touch": 0, "wheel": 0});
        draft
    }

    fn empty(seed: [u8; 8]) -> Self {
        let ctx = |batch: u8| json!({"contextId": "c", "address": "a", "batch": batch, "clientVersion": "1"});
        let clock = |submit: i64| json!({"timeOrigin": 1_800_000_000_000_i64, "load": 9000, "submit": submit});
        Self {
            first: json!({"v": 1, "ctx": ctx(1), "clock": clock(33_000), "env": env()}),
            second: json!({"v": 1, "ctx": ctx(2), "clock": clock(47_000), "env": {"atSubmit": probe()}}),
            seed,
            second_place: None,
            received_after: [1900, 3300],
            headers: headers(),
            completed: true,
        }
    }

    /// Replaces the path of the pointer to the second target.
    pub(crate) fn second_rows(&mut self, change: impl FnOnce(&mut Vec<[i64; 16]>)) {
        let mut rows = path(36_003, (212, 183), (330, 361), 2);
        change(&mut rows);
        self.second["pointer"] = encode(&rows);
    }

    /// Replaces both paths of the pointer, row by row.
    pub(crate) fn all_rows(&mut self, change: impl Fn(usize, &mut [i64; 16])) {
        for (batch, start, from, to, role) in [
            (&mut self.first, 20_003, (40, 330), (210, 181), 1),
            (&mut self.second, 36_003, (212, 183), (330, 361), 2),
        ] {
            let mut rows = path(start, from, to, role);
            rows.iter_mut()
                .enumerate()
                .for_each(|(at, row)| change(at, row));
            batch["pointer"] = encode(&rows);
        }
    }

    /// Moves the first press `by` pixels to the right.
    pub(crate) fn move_press(&mut self, by: i64) {
        let rows = self.first["pointer"].as_array_mut().unwrap();
        let down = rows.iter_mut().find(|row| row[0] == 1).unwrap();
        down[2] = (down[2].as_i64().unwrap() + by * 100).into();
    }

    /// Moves all positions in the viewport, as scrolling does.
    pub(crate) fn shift_viewport(&mut self, right: i64, down: i64) {
        for batch in [&mut self.first, &mut self.second] {
            let add =
                |value: &mut Value, by: i64| *value = (value.as_i64().unwrap() + by * 100).into();
            add(&mut batch["pointer"][0][2], right);
            add(&mut batch["pointer"][0][3], down);
            for rectangle in batch["layout"].as_array_mut().unwrap() {
                add(&mut rectangle["x"], right);
                add(&mut rectangle["y"], down);
            }
        }
    }

    /// Narrows the stage: the window records the resize before it moves the target, and the person follows.
    pub(crate) fn resize_first(&mut self, width: i64) {
        let list = self.first["layout"].as_array_mut().unwrap();
        let mut stage = list[0].clone();
        let old = list[1].clone();
        let by = (width - stage["w"].as_i64().unwrap()) / 200;
        stage["w"] = width.into();
        list.extend([stage, old]);
        self.move_press(by);
    }

    /// Resizes the stage, and moves the targets to their new positions, and the presses with them.
    pub(crate) fn reshape_stage(&mut self, width: i64, height: i64) {
        let first =
            TargetPosition::from_random([self.seed[0], self.seed[1], self.seed[2], self.seed[3]]);
        for (batch, place) in [(&mut self.first, first), (&mut self.second, SECOND)] {
            let [stage, target] = batch["layout"].as_array_mut().unwrap().as_mut_slice() else {
                unreachable!()
            };
            let old = (target["x"].as_i64().unwrap(), target["y"].as_i64().unwrap());
            (stage["w"], stage["h"]) = (width.into(), height.into());
            #[expect(
                clippy::cast_precision_loss,
                clippy::cast_possible_truncation,
                reason = "small numbers of a test"
            )]
            let at = |start: &Value, room: i64, fraction: f64| {
                start.as_i64().unwrap() + (room as f64 * fraction) as i64
            };
            let corner = (
                at(&stage["x"], width - target["w"].as_i64().unwrap(), place.x),
                at(&stage["y"], height - target["h"].as_i64().unwrap(), place.y),
            );
            (target["x"], target["y"]) = (corner.0.into(), corner.1.into());
            let start = &mut batch["pointer"][0];
            for (column, by) in [(2, corner.0 - old.0), (3, corner.1 - old.1)] {
                start[column] = (start[column].as_i64().unwrap() + by).into();
            }
        }
    }

    pub(crate) fn first_batch(&self) -> EvidenceDocument {
        EvidenceDocument::read(self.first.to_string().as_bytes()).unwrap()
    }

    pub(crate) fn batches(&self) -> Vec<EvidenceBatch> {
        let bodies = [&self.first, &self.second].map(|body| body.to_string().into_bytes());
        (1..)
            .zip(bodies)
            .zip(self.received_after)
            .map(|((number, body), after)| self.evidence_batch(number, body, after))
            .collect()
    }

    fn evidence_batch(&self, number: u8, body: Vec<u8>, after: i64) -> EvidenceBatch {
        EvidenceBatch {
            challenge: self.challenge(),
            number,
            received_at: Timestamp::from_millis(OPENED + after),
            call: RequestMetadata {
                headers: self.headers.clone(),
                network: NetworkHash([0; 16]),
                family: AddressFamily::V4,
            },
            body,
        }
    }

    pub(crate) fn challenge(&self) -> Challenge {
        Challenge {
            check: CheckId::from_bytes([1; 16]),
            context: "spring.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap(),
            address: EoaAddress::from_bytes([2; 20]),
            origin: "https://quest.example".parse().unwrap(),
            origin_allowlisted: false,
            environment: Environment::Live,
            layer: LayerKind::Unverified,
            presses: PressCount::Two,
            seed: self.seed,
            work_bits: 13,
            opened_at: Timestamp::from_millis(OPENED),
        }
    }

    /// Judges the check, including the gate.
    pub(crate) fn judge(&self) -> Judgement {
        self.judge_batches(&self.batches())
    }

    /// Returns the assessment by `assessor`. Panics if its gate rejects the check.
    pub(crate) fn judge_by(&self, assessor: &RuleAssessor) -> Assessment {
        match self.judged(assessor, &self.batches()).unwrap() {
            Judgement::Assessed(found) => found,
            Judgement::Rejected(reason) => panic!("refused: {reason}"),
        }
    }

    pub(crate) fn judge_batches(&self, batches: &[EvidenceBatch]) -> Judgement {
        self.judged(&RuleAssessor::new(), batches).unwrap()
    }

    pub(crate) fn judged(
        &self,
        assessor: &RuleAssessor,
        batches: &[EvidenceBatch],
    ) -> Result<Judgement, EvidenceError> {
        let challenge = self.challenge();
        let check = self.evidence(&challenge, batches);
        let assessor = assessor.clone().with_model(Model::ABSTAINING_MODEL.into());
        assessor
            .judge(&check, &|_| self.second_place)
            .map(|judged_check| judged_check.judgement)
    }

    const fn evidence<'a>(
        &self,
        challenge: &'a Challenge,
        batches: &'a [EvidenceBatch],
    ) -> CheckEvidence<'a> {
        let judged_at = Timestamp::from_millis(100_000);
        CheckEvidence {
            challenge,
            batches,
            judged_at,
            completed: self.completed,
        }
    }

    /// Judges the check with `body` as its first batch.
    pub(crate) fn judge_bytes(&self, body: Vec<u8>) -> Result<Judgement, EvidenceError> {
        let mut batches = self.batches();
        batches[0].body = body;
        self.judged(&RuleAssessor::new(), &batches)
    }

    /// Assesses the check by the rules, without the gate.
    pub(crate) fn assess(&self) -> Assessment {
        self.assess_by(&Model::ABSTAINING_MODEL)
    }

    /// Assesses the check without the gate, with a model that assigns `nats` to every usable movement.
    pub(crate) fn assess_with(&self, nats: f64) -> Assessment {
        self.assess_by(&model_saying(nats))
    }

    fn assess_by(&self, model: &Model) -> Assessment {
        crate::combine::assess(&self.facts(), model, &DetectionPolicy::built_in())
    }

    /// Extracts the features.
    pub(crate) fn facts(&self) -> CheckFacts {
        let challenge = &self.challenge();
        let batches = &self.batches()[..];
        let parsed_batches = batches
            .iter()
            .map(|batch| ParsedBatch {
                batch,
                parsed: EvidenceDocument::read(&batch.body).unwrap(),
            })
            .collect();
        CheckFacts::extract(&self.evidence(challenge, batches), parsed_batches)
    }

    /// Returns the reason of a rule, if it fires.
    pub(crate) fn fires(&self, rule: &str) -> Option<String> {
        let assessment = self.assess();
        assert!(
            crate::rules()
                .iter()
                .any(|candidate| candidate.name == rule),
            "no rule is called {rule}"
        );
        assessment
            .findings
            .into_iter()
            .find(|finding| finding.rule == rule)
            .map(|finding| finding.reason)
    }
}
