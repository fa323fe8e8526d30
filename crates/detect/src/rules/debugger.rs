//! Attached debugger.

use crate::facts::CheckFacts;

/// Calls of an error's formatter while it is logged; 0 without a debugger.
const PREPARED: i64 = 1;
/// Reads of an error's name while it is logged; 1 without a debugger.
const NAMED: i64 = 2;

/// Matches if logging an error had side effects that only a console reader causes.
///
/// The window probes at load and at submit, because some drivers attach late. Measured in V8 only.
pub(super) fn debugger_attached(facts: &CheckFacts) -> Option<String> {
    if !facts.is_chromium() {
        return None;
    }
    let traps = facts.probes().filter_map(|probe| probe.debugger.as_ref());
    let or_zero = |count: Option<i64>| count.unwrap_or(0);
    let mut traps = traps.map(|trap| (or_zero(trap.prepare), or_zero(trap.name)));
    let (prepare, name) = traps.find(|(prepare, name)| *prepare >= PREPARED || *name >= NAMED)?;
    Some(format!(
        "logging an error called its formatter {prepare} times and read its name {name} times"
    ))
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;
    use serde_json::json;

    #[test]
    fn either_trap_at_either_moment_is_enough() {
        assert_eq!(CheckBuilder::person().fires("debugger_attached"), None);
        for trap in [
            json!({"prepare": 1, "name": 1}),
            json!({"prepare": 0, "name": 2}),
        ] {
            let mut at_load = CheckBuilder::person();
            at_load.first["env"]["atLoad"]["debugger"] = trap.clone();
            let mut at_submit = CheckBuilder::person();
            at_submit.second["env"]["atSubmit"]["debugger"] = trap;
            assert!(
                at_load.fires("debugger_attached").is_some()
                    && at_submit.fires("debugger_attached").is_some()
            );
        }
    }

    #[test]
    fn missing_traps_fire_no_rule() {
        let mut draft = CheckBuilder::person();
        draft.second["env"]["atSubmit"] = json!({});
        draft.first["env"]["atLoad"] = json!({"debugger": {}});
        assert_eq!(draft.fires("debugger_attached"), None);
        draft.first["env"]["atLoad"]["debugger"] = json!({"prepare": 0, "name": 5});
        draft.first["env"]["engine"]["errorShape"] = "spidermonkey".into();
        assert_eq!(draft.fires("debugger_attached"), None);
    }
}
