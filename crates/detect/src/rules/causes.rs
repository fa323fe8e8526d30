//! Assignment of findings to the smallest number of innocent causes.

use super::{CauseGroup, Rule};

/// Assigns each rule that fired to one cause group, in their order.
///
/// A rule that several causes explain is assigned to one that explains others too: developer tools may also change the agent
/// string, and that is one cause, not two. A shadow rule explains nothing and stays in its own group.
pub(crate) fn assign_causes(fired: &[&Rule]) -> Vec<CauseGroup> {
    let counting = || fired.iter().copied().filter(|rule| !rule.shadow);
    let mut causes: Vec<CauseGroup> = counting()
        .filter(|rule| rule.other_groups.is_empty())
        .map(|rule| rule.group)
        .collect();
    while let Some(next) =
        best_cause(counting().filter(|rule| !rule.causes().any(|cause| causes.contains(&cause))))
    {
        causes.push(next);
    }
    let cause = |rule: &Rule| {
        rule.causes()
            .find(|cause| causes.contains(cause))
            .unwrap_or(rule.group)
    };
    fired.iter().map(|rule| cause(rule)).collect()
}

/// Returns the cause that explains most of these rules, the first in case of a tie.
fn best_cause<'a>(rules: impl Iterator<Item = &'a Rule>) -> Option<CauseGroup> {
    let rules: Vec<&Rule> = rules.collect();
    let explained_rules = |cause: &CauseGroup| {
        rules
            .iter()
            .filter(|rule| rule.causes().any(|candidate| candidate == *cause))
            .count()
    };
    rules
        .iter()
        .flat_map(|rule| rule.causes())
        .rev()
        .max_by_key(explained_rules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::rules;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn rule(name: &str) -> &'static Rule {
        rules().iter().find(|rule| rule.name == name).unwrap()
    }

    fn names_of_causes(names: &[&str]) -> Vec<&'static str> {
        let rules: Vec<&Rule> = names.iter().map(|name| rule(name)).collect();
        assign_causes(&rules)
            .into_iter()
            .map(CauseGroup::as_str)
            .collect()
    }

    #[test]
    fn single_rule_keeps_its_group() {
        for rule in rules() {
            assert_eq!(assign_causes(&[rule]), [rule.group], "{}", rule.name);
        }
    }

    #[test]
    fn open_tools_explain_a_changed_agent() {
        assert_eq!(
            names_of_causes(&["debugger_attached", "other_in_copy"]),
            ["developer_tools"; 2]
        );
        let expected_causes = [
            "developer_tools",
            "environment_mismatch",
            "environment_mismatch",
        ];
        assert_eq!(
            names_of_causes(&["debugger_attached", "other_in_copy", "replaced_natives"]),
            expected_causes
        );
    }

    #[test]
    fn a_guard_that_rewrites_headers_is_one_cause() {
        assert_eq!(
            names_of_causes(&["other_in_header", "missing_headers"]),
            ["transport"; 2]
        );
        assert_eq!(
            names_of_causes(&["other_in_header", "missing_hints"])
                .iter()
                .collect::<HashSet<_>>()
                .len(),
            1
        );
        assert_eq!(
            names_of_causes(&["other_in_copy", "missing_hints"]),
            ["environment_mismatch"; 2]
        );
    }

    #[test]
    fn a_rule_in_shadow_explains_nothing() {
        let shadow_rule = Rule {
            shadow: true,
            ..*rule("debugger_attached")
        };
        let causes = assign_causes(&[&shadow_rule, rule("other_in_copy")]);
        assert_eq!(
            causes,
            [CauseGroup::DeveloperTools, CauseGroup::EnvironmentMismatch]
        );
    }

    proptest! {
        #[test]
        fn no_fewer_causes_would_do(picked in prop::collection::vec(0..rules().len(), 1..8)) {
            let fired_rules: Vec<&Rule> = picked.into_iter().map(|at| &rules()[at]).filter(|rule| !rule.shadow).collect();
            let assigned_causes: HashSet<CauseGroup> = assign_causes(&fired_rules).into_iter().collect();
            let all_causes: Vec<CauseGroup> = fired_rules.iter().flat_map(|rule| rule.causes()).collect::<HashSet<_>>().into_iter().collect();
            let fewest = (0_u32..1 << all_causes.len()).filter(|bits| {
                let holds = |cause: CauseGroup| all_causes.iter().zip(0..).any(|(known, at)| *known == cause && bits >> at & 1 == 1);
                fired_rules.iter().all(|rule| rule.causes().any(holds))
            });
            prop_assert_eq!(assigned_causes.len(), fewest.map(u32::count_ones).min().unwrap_or(0) as usize);
        }
    }
}
