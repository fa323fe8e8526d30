//! Generator of `docs/reference/rules.md`: the rule table, as in the code.

use std::path::{Path, PathBuf};
use voight_detect::{CauseGroup, REJECTED_SIGNALS, Rule, RuleRateTable, rates, rules};
use voight_tests::table::markdown;

/// Returns the path of the page.
pub fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/reference/rules.md")
}

const HEAD: &str = "\
# The rules

This page is generated from the rule table in `crates/detect/src/rules/table.rs` and from `crates/detect/rates.json`, which
`cargo xtask detect rates` writes; `VOIGHT_UPDATE=1 cargo test -p voight-detection-eval --test it rules::` writes the page.

A rule evaluates one signal. Missing evidence never makes it fire. Rules are grouped by the **benign explanation** that could
make them fire together: of a group only the largest weight counts, and a rule with several explanations is assigned to the
group where it is explained best. A check is flagged by a **hard** rule, or by two groups whose weights reach the context's
minimum confidence. A **soft** rule has not been measured on people in browsers, and weighs at most 2 nats until it has. A rule in
**shadow** is counted (`voight_rule_hits_total` of `/metrics`) and decides nothing.
";

/// Returns the expected contents of the page.
pub fn page() -> String {
    let mut page = HEAD.to_owned();
    page.push_str(&sample(rates()));
    let mut remaining_rules = rules().iter().peekable();
    while let Some(first) = remaining_rules.next() {
        let mut members = vec![first];
        while let Some(next) = remaining_rules.next_if(|rule| rule.group == first.group) {
            members.push(next);
        }
        page.push_str(&group(first.group, &members));
    }
    page.push_str(&rejected_signals());
    page
}

fn sample(rates: &RuleRateTable) -> String {
    let RuleRateTable {
        policy,
        automation,
        synthetic,
        window,
        ..
    } = rates;
    let commits: Vec<String> = window
        .iter()
        .map(|sources| format!("`{}`", sources.commit))
        .collect();
    let commits = if commits.is_empty() {
        "none".to_owned()
    } else {
        commits.join(", ")
    };
    format!(
        "\nMeasured with policy {policy}. *Automation*: {} sessions of {} families, recorded or sent through the window. *Synthetic*: {} \
         sessions of {} synthetic families with system-level input into a plain Chromium without an automation protocol, on one machine \
         under Linux. **They \
         contain no person**: the share is the rate of a rule on such input, with a one-sided 95 % bound that has families as \
         clusters. It is not a rate of false alarms among people. Sources of the sessions through the window: {commits}; a test fails \
         when the code that collects evidence is newer.\n",
        automation.sessions, automation.families, synthetic.sessions, synthetic.families,
    )
}

fn group(group: CauseGroup, members: &[&Rule]) -> String {
    let rows = members.iter().map(|rule| {
        let also: Vec<String> = rule
            .other_groups
            .iter()
            .map(|cause| format!("`{}`", cause.as_str()))
            .collect();
        let also = if also.is_empty() {
            String::new()
        } else {
            format!(" (also {})", also.join(", "))
        };
        let [automation, synthetic] = measured(rule);
        let Rule {
            name,
            meaning,
            required_evidence: needs,
            benign_explanation: innocent,
            ..
        } = rule;
        let [name, innocent] = [format!("`{name}`"), format!("{innocent}{also}")];
        [
            name,
            meaning.to_string(),
            needs.to_string(),
            innocent,
            weight(rule),
            automation,
            synthetic,
        ]
    });
    let head = [
        "rule",
        "meaning",
        "required evidence",
        "benign explanations",
        "weight",
        "automation",
        "synthetic",
    ];
    format!("\n## `{}`\n\n{}", group.as_str(), markdown(head, rows))
}

fn weight(rule: &Rule) -> String {
    let kind = match (rule.hard, rule.shadow) {
        (true, _) => "hard",
        (false, true) => "shadow",
        (false, false) => "soft",
    };
    format!("{} {kind}", rule.weight.as_f64())
}

/// Describes the measured rates of a rule, on automation and on synthetic sessions.
fn measured(rule: &Rule) -> [String; 2] {
    let Some(observation) = rule.rates() else {
        return ["not measured", "not measured"].map(str::to_owned);
    };
    let RuleRateTable {
        automation,
        synthetic,
        ..
    } = rates();
    let bound = observation.synthetic_bound95 * 100.0;
    [
        format!(
            "{} of {}; families: {}",
            observation.automation, automation.sessions, observation.automation_families
        ),
        format!(
            "{} of {}, at most {bound:.0} %",
            observation.synthetic, synthetic.sessions
        ),
    ]
}

fn rejected_signals() -> String {
    let rows = REJECTED_SIGNALS
        .iter()
        .map(|not| [not.sign, not.reason].map(str::to_owned));
    format!(
        "\n## Rejected signals\n\n{}",
        markdown(["signal", "reason"], rows)
    )
}
