//! Signs of a driver at one moment.

use super::fields::object;
use super::list::List;
use super::text::Text;

object! {
    /// What was found when the window was loaded, or when evidence was submitted.
    Probe {
        globals: List<Text<512>, 32> = "globals",
        document_keys: List<Text<512>, 32> = "documentKeys",
        debugger: Debugger = "debugger",
        stacks: List<Text<160>, 16> = "stacks",
    }
}

object! {
    /// Calls of an error's formatter and reads of its name while it was logged.
    Debugger {
        prepare: i64 = "prepare",
        name: i64 = "name",
    }
}
