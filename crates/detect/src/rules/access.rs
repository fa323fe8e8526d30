//! Scripts that accessed the document.

use super::declared::shortened;
use crate::facts::CheckFacts;

/// Matches if a script without an address called a method that finds or measures elements.
///
/// Drivers do so, and developers who type into the console. Extensions have addresses and do not match.
pub(super) fn nameless_caller(facts: &CheckFacts) -> Option<String> {
    let mut stacks = facts
        .probes()
        .filter_map(|probe| probe.stacks.as_ref())
        .flat_map(|list| list.iter());
    let stack =
        stacks.find(|stack| stack.contains("<anonymous>") && !stack.contains("extension:"))?;
    Some(format!(
        "a script without an address called {:?}",
        shortened(stack)
    ))
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;
    use serde_json::json;

    #[test]
    fn nameless_caller_is_no_extension() {
        let mut draft = CheckBuilder::person();
        assert_eq!(draft.fires("nameless_caller"), None);
        for (stack, fires) in [
            (
                "querySelector: Object.i (<anonymous>) | $a (<anonymous>)",
                true,
            ),
            (
                "getBoundingClientRect: f (chrome-extension:) | Array.map (<anonymous>)",
                false,
            ),
            ("focus: https:", false),
        ] {
            draft.second["env"]["atSubmit"]["stacks"] = json!([stack]);
            assert_eq!(draft.fires("nameless_caller").is_some(), fires, "{stack}");
        }
    }
}
