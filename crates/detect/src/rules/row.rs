//! How a row of the table is written.

use super::{CauseGroup, Check, MODEL_CAP, Rule, Seen};
use crate::facts::Facts;
use voight_domain::verdict::Nats;

/// What a rule is called, what it says, what it needs.
pub(super) type Words = [&'static str; 3];
/// What looks.
pub(super) type Says = fn(&Facts) -> Option<String>;
/// How a rule looks at a check that weighs what it saw.
pub(super) type Weighs = fn(&Facts) -> Option<Seen>;

/// A rule of the closed list that convicts alone.
pub(super) const fn hard(words: Words, innocent: &'static str, check: Says) -> Rule {
    Rule { hard: true, ..soft(words, CauseGroup::DeclaredAutomation, innocent, 6000, check) }
}

/// A rule in shadow.
pub(super) const fn watched(words: Words, group: CauseGroup, innocent: &'static str, check: Says) -> Rule {
    Rule { shadow: true, ..soft(words, group, innocent, 1000, check) }
}

/// A rule that needs another cause beside it.
pub(super) const fn soft(words: Words, group: CauseGroup, innocent: &'static str, milli: i32, check: Says) -> Rule {
    let [name, meaning, needs] = words;
    let weight = Nats::from_milli(milli);
    Rule {
        name,
        meaning,
        needs,
        group,
        also: &[],
        innocent,
        weight,
        hard: false,
        shadow: false,
        check: Check::Says(check),
    }
}

/// A rule that may weigh up to the model's cap.
pub(super) const fn weighing(words: Words, group: CauseGroup, innocent: &'static str, check: Weighs) -> Rule {
    let [name, meaning, needs] = words;
    let (weight, check) = (MODEL_CAP, Check::Weighs(check));
    Rule { name, meaning, needs, group, also: &[], innocent, weight, hard: false, shadow: false, check }
}

impl Rule {
    /// The rule, explained by other causes as well.
    pub(super) const fn also(self, also: &'static [CauseGroup]) -> Self {
        Self { also, ..self }
    }
}
