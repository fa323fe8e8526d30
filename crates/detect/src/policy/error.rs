//! Errors of a policy.

use crate::rules::{FIRST_CUSTOM_VERSION, Rule, rules};
use serde_json::error::Category;
use std::error::Error;
use std::fmt;
use voight_domain::verdict::Nats;

/// Error in a policy: one sentence that names the member or rule and the correction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyError(String);

impl PolicyError {
    pub(super) fn format(error: &serde_json::Error) -> Self {
        // Names in the error come from the author of the policy, so it is forced onto one line.
        let sentence = format!(
            "the policy is not as it should be: {}; write for example {{\"version\": {FIRST_CUSTOM_VERSION}, \"rules\": {{\"teleport\": \"off\"}}}}",
            fault(error)
        );
        Self(sentence.replace(char::is_control, " "))
    }

    pub(super) fn taken(version: u32) -> Self {
        Self(format!(
            "version {version} is a release's; number your own policies from {FIRST_CUSTOM_VERSION}"
        ))
    }

    pub(super) fn unknown(name: &str) -> Self {
        let alike = |rule: &&Rule| strsim::jaro_winkler(name, rule.name);
        let nearest = rules()
            .iter()
            .max_by(|a, b| alike(a).total_cmp(&alike(b)))
            .filter(|rule| alike(rule) > 0.8);
        let hint = nearest.map_or_else(
            || {
                format!(
                    "the rules are {}",
                    rules()
                        .iter()
                        .map(|rule| rule.name)
                        .collect::<Vec<_>>()
                        .join(", ")
                )
            },
            |rule| format!("did you mean `{}`?", rule.name),
        );
        Self(format!(
            "there is no rule `{}`; {hint}",
            name.escape_debug()
        ))
    }

    pub(super) fn weight(rule: &Rule, weight: Nats) -> Self {
        let Rule { name, .. } = rule;
        Self(format!(
            "rule `{name}` cannot weigh {} nats; give it 0 to {}",
            weight.as_f64(),
            rule.cap().as_f64()
        ))
    }
}

/// Describes a JSON error to the author of the document.
fn fault(error: &serde_json::Error) -> String {
    let line = error.line();
    let character = error.column();
    match error.classify() {
        Category::Eof => format!("the JSON ends too early, in line {line}"),
        Category::Syntax => format!("it is not JSON from line {line}, character {character} on"),
        Category::Data | Category::Io => {
            let text = error.to_string();
            let message = text
                .rsplit_once(" at line ")
                .map_or(text.as_str(), |(message, _)| message);
            let description = message
                .replace("missing field", "missing member")
                .replace("unknown field", "unknown member");
            format!("{description} (line {line})")
        }
    }
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for PolicyError {}
