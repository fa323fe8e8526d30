//! `[limits]`: rate limits.

use super::diagnostic::Diagnostic;
use voight_domain::rate_limit::RateLimitPolicy;

/// Returns the problems of rate limits that contradict each other.
pub(super) fn contradictions(limits: &RateLimitPolicy) -> Vec<Diagnostic> {
    let mut wrong = Vec::new();
    if limits.max_checks_per_minute < limits.checks_per_minute {
        let sentence =
            "limits.max_checks_per_minute is below limits.checks_per_minute; give at least as much";
        wrong.push(Diagnostic::new("limits.max_checks_per_minute", sentence));
    }
    wrong
}
