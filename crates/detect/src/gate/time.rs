//! Time check: the events fit into the time that passed.
//!
//! The window's clock and the server's are compared by durations only, never by their readings: visitors' clocks may be wrong
//! by hours, which is not evidence.

use super::ParsedBatch;
use crate::evidence_schema::{EvidenceDocument, HitTarget, RectangleRole};
use crate::press::Press;
use voight_domain::ports::CheckEvidence;

/// Maximum excess of a duration on the window's clock over the server's, in tenths of a millisecond.
///
/// The first target is rendered after the reply that opened the check, and a batch is written before it arrives, so the
/// window's duration can only be the shorter one. The tolerance covers clocks that run at different rates (a tenth of a
/// percent
/// over five minutes is 0.3 s), differences between servers, and a clock that is being set.
const CLOCK_TOLERANCE: i64 = 15_000;
/// Maximum time of an event outside of the window's lifetime, in tenths of a millisecond.
///
/// An event carries the time at which its device reported it, and a busy page handles it late; some browsers round or blur
/// their clocks.
const EVENT_TIME_TOLERANCE: i64 = 15_000;
/// Maximum duration of the call that opens a check, in tenths of a millisecond. Events are collected meanwhile.
const MAX_OPEN_CALL: i64 = 300_000;

/// Returns `true` if the events of a check fit into the time that passed.
pub(super) fn is_consistent(check: &CheckEvidence<'_>, kept: &[ParsedBatch<'_>]) -> bool {
    let each = kept.iter().all(|kept| {
        within_life(&kept.parsed)
            && in_order(&kept.parsed)
            && pressed_after_rendering(&kept.parsed)
            && fits_elapsed_time(check, kept)
    });
    each && kept.windows(2).all(|pair| {
        of_one_page(&pair[0].parsed, &pair[1].parsed)
            && is_ordered_after(&pair[0].parsed, &pair[1].parsed)
    })
}

/// Returns `true` if two batches report the same start of one page, whose clock never changes.
fn of_one_page(a: &EvidenceDocument, b: &EvidenceDocument) -> bool {
    let started = |batch: &EvidenceDocument| batch.clock.time_origin.zip(batch.clock.load);
    started(a)
        .zip(started(b))
        .is_none_or(|(a, b)| (a.0 - b.0).abs() < 1.0 && a.1 == b.1)
}

/// Returns `true` if `later` was written after `earlier` on the window's clock, and holds later events.
fn is_ordered_after(earlier: &EvidenceDocument, later: &EvidenceDocument) -> bool {
    let after = |t: Option<i64>, slack: i64| {
        earlier
            .clock
            .submit
            .zip(t)
            .is_none_or(|(before, t)| t.saturating_add(slack) >= before)
    };
    let first = event_span(later).map(|(first, _)| first);
    after(later.clock.submit, 0)
        && after(first, EVENT_TIME_TOLERANCE)
        && earlier.ctx.batch < later.ctx.batch
}

/// Returns `true` if the events of each list are in chronological order.
fn in_order(batch: &EvidenceDocument) -> bool {
    is_monotonic(batch.pointer.iter().map(|event| event.t))
        && is_monotonic(batch.keys.iter().map(|key| key.t))
        && is_monotonic(batch.touches.iter().map(|touch| touch.t))
}

fn is_monotonic(mut times: impl Iterator<Item = i64>) -> bool {
    times
        .try_fold(i64::MIN, |last, t| {
            (t.saturating_add(EVENT_TIME_TOLERANCE) >= last).then_some(last.max(t))
        })
        .is_some()
}

fn within_life(batch: &EvidenceDocument) -> bool {
    let Some((first, last)) = event_span(batch) else {
        return true;
    };
    let (Some(load), Some(submit)) = (batch.clock.load, batch.clock.submit) else {
        return false;
    };
    let lived = |t: i64| {
        t >= load.saturating_sub(EVENT_TIME_TOLERANCE)
            && t <= submit.saturating_add(EVENT_TIME_TOLERANCE)
    };
    load >= 0
        && load <= submit
        && lived(first)
        && lived(last)
        && batch.layout.iter().all(|found| lived(found.t))
}

/// Returns `true` if each target was pressed after it was rendered.
fn pressed_after_rendering(batch: &EvidenceDocument) -> bool {
    let targets = [
        (HitTarget::First, RectangleRole::First),
        (HitTarget::Second, RectangleRole::Second),
    ];
    targets.into_iter().all(|(role, rectangle)| {
        let rendered = batch
            .layout
            .iter()
            .filter(|found| found.role == rectangle)
            .map(|found| found.t)
            .min();
        let pressed = Press::find(&batch.pointer, role)
            .map(|press| press.event.t.saturating_add(EVENT_TIME_TOLERANCE));
        pressed
            .zip(rendered)
            .is_none_or(|(pressed, rendered)| pressed >= rendered)
    })
}

/// Returns `true` if the window's activity fits between the check's opening and the batch's arrival.
///
/// The activity starts with the first target's rendering, and with the first event.
fn fits_elapsed_time(check: &CheckEvidence<'_>, kept: &ParsedBatch<'_>) -> bool {
    let passed = kept
        .batch
        .received_at
        .as_millis()
        .saturating_sub(check.challenge.opened_at.as_millis());
    let passed = passed.max(0).saturating_mul(10);
    let rendered = kept
        .parsed
        .layout
        .iter()
        .filter(|found| found.role != RectangleRole::Other)
        .map(|found| found.t)
        .min();
    let end = kept
        .parsed
        .clock
        .submit
        .or(event_span(&kept.parsed).map(|(_, last)| last));
    let span = |from: Option<i64>| {
        end.zip(from)
            .map_or(0, |(end, from)| end.saturating_sub(from))
    };
    span(rendered) <= passed.saturating_add(CLOCK_TOLERANCE)
        && span(event_span(&kept.parsed).map(|(first, _)| first))
            <= passed.saturating_add(MAX_OPEN_CALL)
}

/// Returns the earliest and the latest time among the events of a batch.
fn event_span(batch: &EvidenceDocument) -> Option<(i64, i64)> {
    let pointer = batch.pointer.iter().map(|event| event.t);
    let keys = batch.keys.iter().map(|key| key.t);
    let touches = batch.touches.iter().map(|touch| touch.t);
    let shown = batch.visibility.iter().map(|change| change.t);
    let all = pointer
        .chain(keys)
        .chain(touches)
        .chain(shown)
        .chain(batch.focus.iter().map(|change| change.t));
    all.fold(None, |span, t| {
        Some(span.map_or((t, t), |(first, last): (i64, i64)| {
            (first.min(t), last.max(t))
        }))
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::{CheckBuilder, click, encode, event};
    use voight_domain::check::GateRejection;
    use voight_domain::ports::Judgement;

    fn refused(draft: &CheckBuilder) -> bool {
        draft.judge() == Judgement::Refused(GateRejection::ImpossibleTiming)
    }

    #[test]
    fn a_recording_longer_than_the_check_is_refused() {
        let mut draft = CheckBuilder::person();
        draft.received_after = [100, 5000];
        assert!(
            refused(&draft),
            "1.7 s of events cannot arrive 0.1 s after the opening"
        );
        draft.received_after = [1000, 3000];
        assert!(
            matches!(draft.judge(), Judgement::Assessed(_)),
            "within the slack"
        );
    }

    #[test]
    fn events_from_long_before_the_opening_are_refused_and_a_slow_opening_is_no_reason() {
        for (submit, allowed) in [(250_000, true), (400_000, false)] {
            let mut draft = CheckBuilder::keyboard();
            let rows = [
                event(0, 10_000, 20, 20),
                click(submit - 2000, 216, 188, 0, 1),
            ];
            draft.first["pointer"] = encode(&rows);
            for rectangle in draft.first["layout"].as_array_mut().unwrap() {
                rectangle["t"] = (submit - 5000).into();
            }
            draft.first["clock"]["submit"] = submit.into();
            draft.second["clock"]["submit"] = submit.into();
            assert_eq!(refused(&draft), !allowed, "{submit}");
        }
    }

    #[test]
    fn a_wrong_clock_is_no_reason() {
        let mut draft = CheckBuilder::person();
        for batch in [&mut draft.first, &mut draft.second] {
            batch["clock"]["timeOrigin"] = 12.5.into();
        }
        assert!(matches!(draft.judge(), Judgement::Assessed(_)));
    }

    #[test]
    fn events_outside_of_the_window_s_life_are_refused() {
        for (member, value) in [("submit", 4000), ("load", 90_000)] {
            let mut draft = CheckBuilder::person();
            draft.first["clock"][member] = value.into();
            assert!(refused(&draft), "{member}");
        }
        let mut timeless = CheckBuilder::person();
        timeless.first.as_object_mut().unwrap().remove("clock");
        assert!(refused(&timeless), "events without a clock");
    }

    #[test]
    fn a_press_before_its_target_was_rendered_is_refused() {
        let mut draft = CheckBuilder::person();
        for (t, allowed) in [(27_000, true), (43_000, false), (60_000, false)] {
            draft.first["layout"][0]["t"] = t.into();
            draft.first["layout"][1]["t"] = t.into();
            assert_eq!(refused(&draft), !allowed, "{t}");
        }
    }

    #[test]
    fn a_second_batch_written_before_the_first_is_refused() {
        let mut draft = CheckBuilder::person();
        let early = draft.second["clock"]["submit"].as_i64().unwrap() + 1;
        draft.first["clock"]["submit"] = early.into();
        draft.received_after = [60_000, 60_100];
        assert!(refused(&draft));
    }

    #[test]
    fn hostile_times_do_not_overflow() {
        let mut draft = CheckBuilder::person();
        draft.first["pointer"][0][1] = i64::MIN.into();
        assert!(refused(&draft));
        draft.first["clock"]["submit"] = i64::MAX.into();
        draft.first["clock"]["load"] = i64::MIN.into();
        assert!(refused(&draft));
    }
}
