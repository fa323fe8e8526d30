//! Probes for a driver.

use super::fields::object;
use super::list::BoundedList;
use super::text::BoundedText;

object! {
    /// Result of the probe at the load of the window, or at the submission of evidence.
    Probe {
        globals: BoundedList<BoundedText<512>, 32> = "globals": "Names that automation tools leave in a page; no other names are looked at.",
        document_keys: BoundedList<BoundedText<512>, 32> = "documentKeys": "The same in its document.",
        debugger: Debugger = "debugger": "The signs that developer tools or a driver listen to the browser.",
        stacks: BoundedList<BoundedText<160>, 16> = "stacks": "In what shape other programs in the page reached for the window's elements, never what they read.",
    }
}

object! {
    /// Number of calls of an error's formatter, and of reads of its name, while it was logged.
    Debugger {
        prepare: i64 = "prepare": "The number of reads of the text of an error that is never shown.",
        name: i64 = "name": "The number of reads of the name of such an error.",
    }
}
