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
pub(super) fn is_consistent(check: &CheckEvidence<'_>, parsed_batches: &[ParsedBatch<'_>]) -> bool {
    let batches_are_consistent = parsed_batches.iter().all(|batch| {
        within_life(&batch.parsed)
            && in_order(&batch.parsed)
            && pressed_after_rendering(&batch.parsed)
            && fits_elapsed_time(check, batch)
    });
    batches_are_consistent
        && parsed_batches.windows(2).all(|pair| {
            of_one_page(&pair[0].parsed, &pair[1].parsed)
                && is_ordered_after(&pair[0].parsed, &pair[1].parsed)
        })
}

/// Returns `true` if two batches report the same start of one page, whose clock never changes.
fn of_one_page(a: &EvidenceDocument, b: &EvidenceDocument) -> bool {
    let page_start = |batch: &EvidenceDocument| batch.clock.time_origin.zip(batch.clock.load);
    page_start(a)
        .zip(page_start(b))
        .is_none_or(|(a, b)| (a.0 - b.0).abs() < 1.0 && a.1 == b.1)
}

/// Returns `true` if `later` was written after `earlier` on the window's clock, and holds later events.
fn is_ordered_after(earlier: &EvidenceDocument, later: &EvidenceDocument) -> bool {
    let is_after = |t: Option<i64>, slack: i64| {
        earlier
            .clock
            .submit
            .zip(t)
            .is_none_or(|(before, t)| t.saturating_add(slack) >= before)
    };
    let first = event_span(later).map(|(first, _)| first);
    is_after(later.clock.submit, 0)
        && is_after(first, EVENT_TIME_TOLERANCE)
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
    let is_within_life = |t: i64| {
        t >= load.saturating_sub(EVENT_TIME_TOLERANCE)
            && t <= submit.saturating_add(EVENT_TIME_TOLERANCE)
    };
    load >= 0
        && load <= submit
        && is_within_life(first)
        && is_within_life(last)
        && batch
            .layout
            .iter()
            .all(|rectangle| is_within_life(rectangle.t))
}

/// Returns `true` if each target was pressed after it was rendered.
fn pressed_after_rendering(batch: &EvidenceDocument) -> bool {
    let targets = [
        (HitTarget::First, RectangleRole::First),
        (HitTarget::Second, RectangleRole::Second),
    ];
    targets.into_iter().all(|(role, rectangle)| {
        let rendered_at = batch
            .layout
            .iter()
            .filter(|target| target.role == rectangle)
            .map(|rectangle| rectangle.t)
            .min();
        let press_time = Press::find(&batch.pointer, role)
            .map(|press| press.event.t.saturating_add(EVENT_TIME_TOLERANCE));
        press_time
            .zip(rendered_at)
            .is_none_or(|(press_time, rendered_at)| press_time >= rendered_at)
    })
}

/// Returns `true` if the window's activity fits between the check's opening and the batch's arrival.
///
/// The activity starts with the first target's rendering, and with the first event.
fn fits_elapsed_time(check: &CheckEvidence<'_>, parsed_batch: &ParsedBatch<'_>) -> bool {
    let elapsed_ms = parsed_batch
        .batch
        .received_at
        .as_millis()
        .saturating_sub(check.challenge.opened_at.as_millis());
    let elapsed_units = elapsed_ms.max(0).saturating_mul(10);
    let rendered_at = parsed_batch
        .parsed
        .layout
        .iter()
        .filter(|rectangle| rectangle.role != RectangleRole::Other)
        .map(|rectangle| rectangle.t)
        .min();
    let end = parsed_batch
        .parsed
        .clock
        .submit
        .or(event_span(&parsed_batch.parsed).map(|(_, last)| last));
    let span = |from: Option<i64>| {
        end.zip(from)
            .map_or(0, |(end, from)| end.saturating_sub(from))
    };
    span(rendered_at) <= elapsed_units.saturating_add(CLOCK_TOLERANCE)
        && span(event_span(&parsed_batch.parsed).map(|(first, _)| first))
            <= elapsed_units.saturating_add(MAX_OPEN_CALL)
}

/// Returns the earliest and the latest time among the events of a batch.
fn event_span(batch: &EvidenceDocument) -> Option<(i64, i64)> {
    let pointer = batch.pointer.iter().map(|event| event.t);
    let keys = batch.keys.iter().map(|key| key.t);
    let touches = batch.touches.iter().map(|touch| touch.t);
    let visibility = batch.visibility.iter().map(|change| change.t);
    let times = pointer
        .chain(keys)
        .chain(touches)
        .chain(visibility)
        .chain(batch.focus.iter().map(|change| change.t));
    times.fold(None, |span, t| {
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

    fn rejected(draft: &CheckBuilder) -> bool {
        draft.judge() == Judgement::Rejected(GateRejection::ImpossibleTiming)
    }

    #[test]
    fn recording_longer_than_check_is_rejected() {
        let mut draft = CheckBuilder::person();
        draft.received_after = [100, 5000];
        assert!(
            rejected(&draft),
            "1.7 s of events cannot arrive 0.1 s after the opening"
        );
        draft.received_after = [1000, 3000];
        assert!(
            matches!(draft.judge(), Judgement::Assessed(_)),
            "within the slack"
        );
    }

    #[test]
    fn events_long_before_opening_are_rejected() {
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
            assert_eq!(rejected(&draft), !allowed, "{submit}");
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
    fn events_outside_window_life_are_rejected() {
        for (member, value) in [("submit", 4000), ("load", 90_000)] {
            let mut draft = CheckBuilder::person();
            draft.first["clock"][member] = value.into();
            assert!(rejected(&draft), "{member}");
        }
        let mut timeless = CheckBuilder::person();
        timeless.first.as_object_mut().unwrap().remove("clock");
        assert!(rejected(&timeless), "events without a clock");
    }

    #[test]
    fn press_before_rendering_is_rejected() {
        let mut draft = CheckBuilder::person();
        for (t, allowed) in [(27_000, true), (43_000, false), (60_000, false)] {
            draft.first["layout"][0]["t"] = t.into();
            draft.first["layout"][1]["t"] = t.into();
            assert_eq!(rejected(&draft), !allowed, "{t}");
        }
    }

    #[test]
    fn batches_out_of_order_are_rejected() {
        let mut draft = CheckBuilder::person();
        let submit = draft.second["clock"]["submit"].as_i64().unwrap() + 1;
        draft.first["clock"]["submit"] = submit.into();
        draft.received_after = [60_000, 60_100];
        assert!(rejected(&draft));
    }

    #[test]
    fn hostile_times_do_not_overflow() {
        let mut draft = CheckBuilder::person();
        draft.first["pointer"][0][1] = i64::MIN.into();
        assert!(rejected(&draft));
        draft.first["clock"]["submit"] = i64::MAX.into();
        draft.first["clock"]["load"] = i64::MIN.into();
        assert!(rejected(&draft));
    }
}
