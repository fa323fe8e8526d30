//! Signs of a driver at one moment.

use super::fields::object;
use super::list::BoundedList;
use super::text::BoundedText;

object! {
    /// What was found when the window was loaded, or when evidence was submitted.
    Probe {
        globals: BoundedList<BoundedText<512>, 32> = "globals": "Names that automation tools leave in a page; no other names are looked at.",
        document_keys: BoundedList<BoundedText<512>, 32> = "documentKeys": "The same in its document.",
        debugger: Debugger = "debugger": "Whether developer tools or a driver listen to the browser.",
        stacks: BoundedList<BoundedText<160>, 16> = "stacks": "In what shape other programs in the page reached for the window's elements, never what they read.",
    }
}

object! {
    /// Calls of an error's formatter and reads of its name while it was logged.
    Debugger {
        prepare: i64 = "prepare": "How often the text of an error was asked for that nobody sees.",
        name: i64 = "name": "How often the name of such an error was read.",
    }
}
