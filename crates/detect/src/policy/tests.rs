use super::*;
use crate::RuleAssessor;
use crate::testing::CheckBuilder;
use voight_domain::verdict::Nats;

fn read(text: &str) -> Result<DetectionPolicy, String> {
    DetectionPolicy::read(text.as_bytes()).map_err(|error| error.to_string())
}

fn row(policy: &DetectionPolicy, name: &str) -> Option<Rule> {
    policy
        .rules()
        .iter()
        .copied()
        .find(|rule| rule.name == name)
}

#[test]
fn file_changes_only_its_keys() {
    let policy = read(
        r#"{"version": 1000, "rules": {"debugger_attached": "off", "driver_stack": "shadow", "suspect_globals": 0.5}}"#,
    )
    .unwrap();
    assert_eq!(policy.version(), 1000);
    assert!(row(&policy, "debugger_attached").is_none());
    assert!(row(&policy, "driver_stack").unwrap().shadow);
    let heavier = row(&policy, "suspect_globals").unwrap();
    assert_eq!(
        (heavier.weight, heavier.shadow),
        (Nats::from_milli(500), false)
    );
    let names = |policy: &DetectionPolicy| {
        policy
            .rules()
            .iter()
            .map(|rule| rule.name)
            .collect::<Vec<_>>()
    };
    let mut expected_names = names(&DetectionPolicy::built_in());
    expected_names.retain(|name| *name != "debugger_attached");
    assert_eq!(names(&policy), expected_names);
}

#[test]
fn the_last_change_of_a_rule_counts() {
    let policy = DetectionPolicy::built_in()
        .apply_change("webdriver", RuleChange::Off)
        .unwrap();
    let policy = policy
        .apply_change("webdriver", RuleChange::Weight(Nats::from_milli(1)))
        .unwrap();
    assert_eq!(
        row(&policy, "webdriver").unwrap().weight,
        Nats::from_milli(1)
    );
    assert_eq!(policy.rules()[0].name, rules()[0].name);
}

/// Invalid policies, and two parts of the error of each.
const INVALID_POLICIES: [(&str, [&str; 2]); 17] = [
    (
        r#"{"version": 1000, "rules": {"webdrivr": "off"}}"#,
        ["`webdrivr`", "did you mean `webdriver`?"],
    ),
    (
        r#"{"version": 1000, "rules": {"zzz": "off"}}"#,
        ["`zzz`", "the rules are webdriver, headless_agent"],
    ),
    (
        r#"{"version": 1000, "rules": {"driver_stack": 2.1}}"#,
        ["`driver_stack` cannot weigh 2.1", "0 to 2"],
    ),
    (
        r#"{"version": 1000, "rules": {"webdriver": -1}}"#,
        ["`webdriver` cannot weigh -1", "0 to 6"],
    ),
    (
        r#"{"version": 1000, "rules": {"webdriver": 18446744073709551615}}"#,
        ["`webdriver` cannot", "0 to 6"],
    ),
    (
        r#"{"version": 1000, "rules": {"webdriver": "of"}}"#,
        ["rule `webdriver`", "`off` or `shadow`"],
    ),
    (
        r#"{"version": 1000, "rules": {"webdriver": true}}"#,
        ["rule `webdriver`", "a weight in nats"],
    ),
    (
        r#"{"version": 1000, "rules": {"webdriver": 1, "webdriver": 2}}"#,
        ["`webdriver` comes twice", "leave one"],
    ),
    (
        r#"{"version": 1000, "rules": ["webdriver"]}"#,
        ["sequence", "members are named like rules"],
    ),
    (
        r#"{"version": 1000, "rule": {}}"#,
        ["unknown member `rule`", "`version` or `rules`"],
    ),
    (
        r#"{"version": 999, "rules": {}}"#,
        ["version 999", "from 1000"],
    ),
    (r#"{"version": -1, "rules": {}}"#, ["-1", "u32"]),
    (r#"{"rules": {}}"#, ["missing member", "`version`"]),
    (
        r#"{"version": 1000, "rules": {}} {}"#,
        ["is not JSON", "line 1"],
    ),
    ("[]", ["expected an object", "`version` and `rules`"]),
    (
        "{\"a\\nb\": 1}",
        ["unknown member `a b`", "`version` or `rules`"],
    ),
    ("", ["the policy", "line 1"]),
];

#[test]
fn policy_errors_name_the_valid_range() {
    for (text, parts) in INVALID_POLICIES {
        let error = read(text).unwrap_err();
        assert!(
            parts.iter().all(|part| error.contains(part)),
            "{text}: {error}"
        );
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn assessor_applies_its_policy() {
    let mut draft = CheckBuilder::person();
    draft.first["env"]["webdriver"]["value"] = true.into();
    let judge_by = |text: &str| draft.judge_by(&RuleAssessor::with_policy(read(text).unwrap()));
    let off = judge_by(r#"{"version": 1001, "rules": {"webdriver": "off"}}"#);
    assert_eq!(
        (off.hard, off.bot, off.versions.policy),
        (false, Nats::ZERO, 1001)
    );
    assert!(
        off.findings
            .iter()
            .all(|finding| finding.rule != "webdriver")
    );
    let assessment = judge_by(r#"{"version": 1002, "rules": {"webdriver": "shadow"}}"#);
    assert_eq!((assessment.hard, assessment.bot), (false, Nats::ZERO));
    assert!(
        assessment
            .findings
            .iter()
            .any(|finding| finding.rule == "webdriver" && !finding.counted)
    );
    let lighter = judge_by(r#"{"version": 1003, "rules": {"webdriver": 1}}"#);
    assert_eq!((lighter.hard, lighter.bot), (true, Nats::from_milli(1000)));
}
