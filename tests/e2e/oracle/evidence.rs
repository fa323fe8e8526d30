//! Evidence without movements, which would link one address to another.

use crate::erase::check::ScriptedCheck;
use serde_json::{Value, json};

/// Times of the presses of the batches, in units of 0.1 ms.
const PRESSES: [i64; 2] = [12_000, 27_000];

/// Intended finding of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum IntendedFinding {
    /// A finger: evidence for a human.
    Human,
    /// Keys, which are no evidence.
    Nothing,
    /// Browser that declares automation.
    Bot,
}

/// Returns the first batch: a press on the target at its drawn position.
pub(crate) fn first(check: &ScriptedCheck, finding: IntendedFinding) -> Value {
    let mut first = check.first_batch();
    press(&mut first, 1, finding);
    if finding == IntendedFinding::Bot {
        first["env"] = json!({"webdriver": {"value": true, "own": false, "inPrototype": true}});
    }
    first
}

/// Returns the second batch: the answer to the drawn step, and the probe that makes the check conclusive.
pub(crate) fn second(check: &ScriptedCheck, step: &Value, finding: IntendedFinding) -> Value {
    let mut second = check.second(step);
    if step["kind"] == "press" {
        press(&mut second, 2, finding);
    }
    let probe = json!({"globals": [], "documentKeys": [], "debugger": {"prepare": 0, "name": 1}, "stacks": []});
    second["env"] = json!({ "atSubmit": probe });
    second
}

fn press(batch: &mut Value, number: usize, finding: IntendedFinding) {
    let target = batch["layout"][1].clone();
    let middle = |at: &str, size: &str| whole(&target[at]) + whole(&target[size]) / 2;
    let t = PRESSES[number - 1];
    let x = middle("x", "w");
    let y = middle("y", "h");
    if finding == IntendedFinding::Nothing {
        batch["pointer"] = json!([[6, t, x, y, x, y, 0, 0, 0, 0, 3, 3, number, 0, 0, 40, []]]);
        batch["keys"] = json!([[t - 5_000, 930, 1], [4_900, 810, 1]]);
    } else {
        batch["pointer"] = json!([
            [1, t, x, y, x, y, 0, 0, 1, 500, 2, 3, number, 1, 0, 40, []],
            [2, 870, 0, 0, 0, 0, 0, 0, 0, 0, 2, 3, number, 1, 0, 40, []],
            [6, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 7, number, 1, 0, 40, []],
        ]);
        batch["touches"] = json!([[0, t, x, y, 0, 1_200, 1_100, 0, 1]]);
    }
}

fn whole(value: &Value) -> i64 {
    value.as_i64().expect("a whole number")
}
