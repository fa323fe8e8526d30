//! Movement of the pointer, by the behaviour model.

use super::RuleMatch;
use crate::model::ModelJudgement;
use voight_domain::verdict::Nats;

/// Matches if the model takes the movements for a machine's.
///
/// Evidence for a hand is not a finding: it never offsets others.
pub(super) fn behaviour_model(behaviour: &ModelJudgement) -> Option<RuleMatch> {
    let ModelJudgement::Judged {
        movements, nats, ..
    } = *behaviour
    else {
        return None;
    };
    let weight = Nats::from_f64(nats);
    let reason = || {
        format!(
            "{movements} movements of a mouse are {nats:.1} nats more like a machine's than like a hand's"
        )
    };
    (weight > Nats::ZERO).then(|| RuleMatch {
        weight,
        reason: reason(),
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;
    use voight_domain::verdict::Assessment;

    fn weight(found: &Assessment) -> Option<i32> {
        let of_model = found
            .findings
            .iter()
            .find(|finding| finding.rule == "behaviour_model");
        of_model.map(|finding| finding.weight.as_milli())
    }

    #[test]
    fn weight_of_the_model_is_capped() {
        for (nats, expected) in [
            (0.7, Some(700)),
            (9.0, Some(3000)),
            (-2.0, None),
            (0.0, None),
        ] {
            let assessment = CheckBuilder::person().assess_with(nats);
            assert_eq!(
                (weight(&assessment), assessment.bot.as_milli()),
                (expected, expected.unwrap_or(0))
            );
            assert_eq!(
                assessment.versions.model, 9,
                "the model evaluated the check"
            );
        }
    }

    #[test]
    fn model_alone_does_not_flag() {
        let assessment = CheckBuilder::person().assess_with(9.0);
        assert!(!assessment.hard && assessment.groups == 1);
    }

    #[test]
    fn where_it_abstains_no_version_is_named() {
        let mut touch = CheckBuilder::person();
        touch.all_rows(|_, row| row[10] = 2);
        let mut one_press = CheckBuilder::person();
        one_press.second_place = None;
        one_press.second["layout"] = serde_json::json!([]);
        one_press.second["pointer"] = serde_json::json!([]);
        let mut remote = CheckBuilder::person();
        remote.all_rows(|at, row| row[1] += 800 * i64::try_from(at).unwrap());
        let mut untrusted_events = CheckBuilder::person();
        untrusted_events.all_rows(|_, row| row[11] &= !1);
        for draft in [
            touch,
            one_press,
            remote,
            untrusted_events,
            CheckBuilder::keyboard(),
        ] {
            let assessment = draft.assess_with(9.0);
            assert_eq!((weight(&assessment), assessment.versions.model), (None, 0));
        }
    }
}
