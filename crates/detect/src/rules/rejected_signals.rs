//! Signals that were measured and rejected as rules.

/// Signal without a rule.
#[derive(Debug, Clone, Copy)]
pub struct RejectedSignal {
    /// Description of the signal.
    pub sign: &'static str,
    /// Reason for the rejection.
    pub reason: &'static str,
}

const fn rejected(sign: &'static str, why: &'static str) -> RejectedSignal {
    RejectedSignal { sign, reason: why }
}

/// Signals that were measured and have no rule, with the reasons.
pub const REJECTED_SIGNALS: [RejectedSignal; 14] = [
    rejected(
        "how often the document was looked at",
        "wallets put scripts into every page, which look at it too; only the shape of the caller tells (`driver_stack`, `nameless_caller`)",
    ),
    rejected(
        "the grid of event times outside of X servers",
        "measured on X servers only; `event_time_grid` stays silent elsewhere, and `foreign_grid` is watched",
    ),
    rejected(
        "coalescing, pressure, holds and leaps of pens and fingers",
        "no recordings of pens or touch screens exist; the rules evaluate mice only",
    ),
    rejected(
        "the same recorded movement for several addresses",
        "no single check shows it: the links between addresses do",
    ),
    rejected(
        "hashes of canvas, sound, fonts and mathematics",
        "equal for every Chromium on one machine, driven or not; they link machines and are no evidence of a bot",
    ),
    rejected(
        "a software renderer",
        "ordinary browsers in virtual machines, and on machines without a driver, show the same",
    ),
    rejected(
        "a getter on an error's own stack, logged",
        "fired for none of 49 automation families in Chromium 156",
    ),
    rejected(
        "traps for the keys of a logged proxy, and for groups of the console",
        "fired for none of 49 automation families",
    ),
    rejected(
        "the same traps in a worker",
        "fired for none of 49 automation families",
    ),
    rejected(
        "a missing window.chrome, no plugins, no languages",
        "present in every automation family of Chromium 156",
    ),
    rejected(
        "a contradiction between permissions and notifications",
        "seen in no automation family of Chromium 156",
    ),
    rejected(
        "the size of a broken image",
        "the same with and without a driver in Chromium 156",
    ),
    rejected(
        "screen coordinates equal to those of the page",
        "right in frames of every tool since Chromium mended it",
    ),
    rejected(
        "frame times, timers, the clock's resolution, movementX",
        "the same with and without a driver on one machine",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn rejected_signals_have_unique_names() {
        assert!(
            REJECTED_SIGNALS
                .iter()
                .all(|not| !not.sign.is_empty() && !not.reason.is_empty())
        );
        assert_eq!(
            REJECTED_SIGNALS
                .iter()
                .map(|not| not.sign)
                .collect::<HashSet<_>>()
                .len(),
            REJECTED_SIGNALS.len()
        );
    }
}
