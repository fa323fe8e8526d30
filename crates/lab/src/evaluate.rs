//! What is detected on a corpus, by the code that judges in production.
//!
//! Each check is judged by the parser, the rules, the model and the combination of the service, and enters a verdict by the
//! service's own join. Nobody drew the targets of a recording, so the gate is not asked and refuses nothing.

mod abstain;
mod behaviour;
mod calibration;
mod cost;
mod expected;
mod family;
mod hostile;
mod left_out;
mod life;
mod person;
mod pool;
mod replay;
mod tool;

pub use abstain::AbstainRow;
pub use behaviour::OutOfFoldModels;
pub use calibration::{CalibrationBin, CalibrationRow};
pub use cost::{Allocations, CostUs, HostileRow};
pub use expected::{ExpectedRow, expected};
pub use family::FamilyRow;
pub use left_out::LeaveOneOutRow;
pub use person::{FlagsAfter, People};
pub use replay::{ReplayBasis, ReplayRow};
pub use tool::ToolRow;

use crate::corpus::Corpus;
use anyhow::Result;
use pool::CheckGroup;
use serde::{Deserialize, Serialize};
use voight_detect::POLICY_VERSION;
use voight_tests::console::bar;

/// Everything that `evaluate --json` prints.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Evaluation {
    /// The version of the behaviour model.
    pub model: u32,
    /// The version of the rules.
    pub policy: u32,
    /// Recorded sessions of automation, a row for each family.
    pub families: Vec<FamilyRow>,
    /// People, judged out of fold.
    pub people: People,
    /// Tools that move a pointer, against the people of the corpus.
    pub tools: Vec<ToolRow>,
    /// How often a recorded movement that is presented again is known again.
    pub replay: ReplayRow,
    /// How often the model says nothing.
    pub abstain: Vec<AbstainRow>,
    /// Whether the published score says what it claims.
    pub calibration: Vec<CalibrationRow>,
    /// What a judgement costs, in microseconds.
    pub cost_us: CostUs,
    /// What was absent, or held nothing to judge.
    pub skipped: Vec<String>,
}

/// What is measured besides, for the page.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Details {
    /// As `flags_after` of people, if no check had to be more certain than the one before.
    pub flags_after_without_spread: FlagsAfter,
    /// Segments of people that the model judged.
    pub judged_segments: usize,
    /// The share of alarms of the person with the most.
    pub worst_person: Option<f64>,
    /// The one-sided 95 % bound of people who are ever flagged by one of their checks, by person.
    pub flagged_people_bound95: Option<f64>,
    /// The one-sided 95 % lower bound of the share of remote-desktop streams that the model says nothing of, by person.
    pub remote_bound95: Option<f64>,
    /// What the rows about replays rest on.
    pub replayed: ReplayBasis,
    /// Families judged with weights that were estimated without them.
    pub left_out: Vec<LeaveOneOutRow>,
    /// The points of the reliability diagram.
    pub reliability: Vec<CalibrationBin>,
    /// What a judgement allocates.
    pub allocations: Allocations,
    /// The cost of each hostile kind of evidence.
    pub hostile: Vec<HostileRow>,
}

/// Both together.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct EvaluationResults {
    /// What is printed.
    pub evaluation: Evaluation,
    /// What is measured besides.
    pub details: Details,
}

/// Measures all of it. All that is random follows from `seed`.
pub fn evaluate(mut corpus: Corpus, seed: u64) -> Result<EvaluationResults> {
    let behaviour = OutOfFoldModels::load()?;
    let (families, unreadable) = family::judge(&corpus.sessions, behaviour.service())?;
    corpus.skipped.extend(unreadable);
    let people = pool::of_segments("people", &corpus.people, &behaviour)?;
    let tools = pool::of_segments("tools", &corpus.tools, &behaviour)?;
    let logits = behaviour.logits(&corpus);
    let abstentions = abstain::measure(&corpus, &people, &behaviour)?;
    let cohorts = calibration::Populations::new(&people, families.iter().map(|family| &family.pool).chain(&tools));
    let spinner = bar("calibration, cost, replay", 4, "steps");
    let (calibration, reliability) = calibration::measure(&cohorts, seed);
    spinner.inc(1);
    let flags = person::flags_after(&people, seed);
    spinner.inc(1);
    let (cost_us, allocations, hostile) = cost::measure(&corpus, behaviour.service())?;
    let replayed = crate::replay::replay(&corpus.people, seed);
    spinner.inc(1);
    spinner.finish_and_clear();
    Ok(EvaluationResults {
        evaluation: Evaluation {
            model: behaviour.version(),
            policy: POLICY_VERSION,
            families: families.iter().map(family::JudgedFamily::row).collect(),
            people: person::row(&corpus.people, &logits, &people, &flags),
            tools: tool::rows(&corpus, &logits),
            replay: replay::row(&replayed),
            abstain: abstentions.rows,
            calibration,
            cost_us,
            skipped: corpus.skipped.clone(),
        },
        details: Details {
            flags_after_without_spread: flags.without_spread,
            judged_segments: logits.people.iter().flatten().count(),
            worst_person: person::worst(&corpus.people, &logits),
            flagged_people_bound95: person::flagged_bound(&people),
            remote_bound95: abstentions.remote_bound95,
            replayed: replay::details(&replayed),
            left_out: left_out::measure(&families, &people),
            reliability,
            allocations,
            hostile,
        },
    })
}
