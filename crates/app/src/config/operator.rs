//! `[operator]`: operator of the service, as shown to visitors.

use super::diagnostic::Diagnostic;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Maximum length of the name and of the contact, in characters.
const MAX_CHARS: usize = 200;

/// The operator of the service, shown on the page about what is checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Operator {
    /// Name of the company or person; if empty, the page names no operator.
    #[schemars(length(max = MAX_CHARS))]
    pub(crate) name: String,
    /// Contact for questions and requests for erasure: e-mail address, URL or postal address.
    ///
    /// If empty, the page names none.
    #[schemars(length(max = MAX_CHARS))]
    pub(crate) contact: String,
}

impl Operator {
    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let values = [
            ("operator.name", &self.name),
            ("operator.contact", &self.contact),
        ];
        let wrong = values.into_iter().filter(|(_, value)| !is_line(value));
        wrong
            .map(|(key, _)| Diagnostic::new(key, problem(key)))
            .collect()
    }
}

/// Returns `true` for text of one line of at most [`MAX_CHARS`] characters.
fn is_line(value: &str) -> bool {
    value.chars().count() <= MAX_CHARS && !value.chars().any(char::is_control)
}

fn problem(key: &str) -> String {
    format!(
        "{key} is not one line of at most {MAX_CHARS} characters; give a short text, or leave it empty"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_and_contact_are_one_line_each() {
        let operator = |name: &str, contact: &str| Operator {
            name: name.to_owned(),
            contact: contact.to_owned(),
        };
        assert_eq!(Operator::default().contradictions(), []);
        assert_eq!(
            operator("Örn & Sons", "privacy@quest.example").contradictions(),
            []
        );
        let wrong = operator("two\nlines", &"x".repeat(MAX_CHARS + 1)).contradictions();
        assert_eq!(
            wrong
                .iter()
                .map(|remark| remark.key.as_str())
                .collect::<Vec<_>>(),
            ["operator.name", "operator.contact"]
        );
    }

    #[test]
    fn the_guide_configures_the_operator() {
        let guide = include_str!("../../../../docs/guides/theming-and-localisation.md");
        let block = guide
            .split("```toml\n")
            .nth(1)
            .and_then(|block| block.split("```").next())
            .unwrap();
        let inputs = super::super::ConfigSources {
            file: Some("voight.toml".into()),
            ..Default::default()
        };
        let loaded_config = super::super::load_text(inputs, Some(block)).unwrap();
        let operator = &loaded_config.config.operator;
        assert!(
            !operator.name.is_empty() && operator.contact.contains('@'),
            "{operator:?}"
        );
    }
}
