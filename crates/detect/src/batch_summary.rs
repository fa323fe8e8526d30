//! Summary of a batch, which the service needs before it stores the batch.

use crate::evidence_schema::{
    EvidenceDocument, HitTarget, KeyDown, PointerEvent, Rectangle, RectangleRole,
};
use crate::press::Press;
use voight_domain::check::{FirstInput, InputDigest, StageSize};
use voight_domain::ports::BatchSummary;

/// Minimum number of events at which two equal recordings are no coincidence.
const MIN_EVENTS_FOR_DIGEST: usize = 20;

/// Summarises a batch.
pub(crate) fn summarise(batch: &EvidenceDocument) -> BatchSummary {
    let press = [HitTarget::First, HitTarget::Second]
        .into_iter()
        .find_map(|role| Press::find(&batch.pointer, role));
    BatchSummary {
        context: batch.ctx.context.to_string(),
        address: batch.ctx.address.to_string(),
        number: batch.ctx.batch,
        answer: batch.ctx.step_token.as_ref().map(ToString::to_string),
        first_input: match press {
            Some(press) if press.down.is_some() => FirstInput::Pointer,
            _ => FirstInput::Keyboard,
        },
        stage: stage(&batch.layout),
        input: digest(&batch.pointer, &batch.keys),
    }
}

/// Returns the sizes of the stage and the first target when they were first rendered together.
pub(crate) fn stage(layout: &[Rectangle]) -> Option<StageSize> {
    let of = |role| {
        layout
            .iter()
            .find(|rectangle| rectangle.role == role && rectangle.w > 0 && rectangle.h > 0)
    };
    let stage = of(RectangleRole::Stage)?;
    let target = of(RectangleRole::First)?;
    Some(StageSize {
        width: px(stage.w),
        height: px(stage.h),
        target_width: px(target.w),
        target_height: px(target.h),
    })
}

/// Converts hundredths of a CSS pixel to pixels.
#[expect(clippy::cast_precision_loss, reason = "screens are small")]
pub(crate) fn px(hundredths: i64) -> f64 {
    hundredths as f64 / 100.0
}

/// Returns the digest of a recording.
///
/// Times count from the first event of each list, so that a shift in time does not change the digest.
fn digest(pointer: &[PointerEvent], keys: &[KeyDown]) -> Option<InputDigest> {
    if pointer.len() + keys.len() < MIN_EVENTS_FOR_DIGEST {
        return None;
    }
    let mut bytes = b"voight input 1".to_vec();
    let mut write = |value: i64| bytes.extend_from_slice(&value.to_le_bytes());
    let start = pointer.first().map_or(0, |event| event.t);
    for event in pointer {
        let at = event.t.saturating_sub(start);
        // Each event is prefixed with its length, so that no two lists have the same bytes.
        write(i64::try_from(event.times.len()).unwrap_or(i64::MAX));
        event
            .integers()
            .enumerate()
            .for_each(|(column, value)| write(if column == 1 { at } else { value }));
    }
    let start = keys.first().map_or(0, |key| key.t);
    for key in keys {
        let flags = i64::from(key.trusted) | i64::from(key.repeat) << 1;
        [
            -1,
            key.t.saturating_sub(start),
            key.hold.unwrap_or(-1),
            flags,
        ]
        .into_iter()
        .for_each(&mut write);
    }
    let mut short = [0; 16];
    // One call hashes all bytes: many short calls take three times as long.
    short.copy_from_slice(&blake3::hash(&bytes).as_bytes()[..16]);
    Some(InputDigest(short))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{CheckBuilder, batch, event};

    fn moves(start: i64, count: i64) -> Option<InputDigest> {
        let rows: Vec<_> = (0..count)
            .map(|n| event(0, start + 160 * n, 10 + n, 20))
            .collect();
        let batch = batch(1, &rows);
        digest(&batch.pointer, &batch.keys)
    }

    #[test]
    fn recording_is_known_from_twenty_events() {
        assert_eq!(moves(1000, 19), None);
        assert!(moves(1000, 20).is_some());
        assert_eq!(moves(1000, 20), moves(4000, 20));
        assert_ne!(moves(1000, 20), moves(1000, 21));
    }

    #[test]
    fn first_batch_is_summarised() {
        let summary = summarise(&CheckBuilder::person().first_batch());
        assert_eq!(summary.first_input, FirstInput::Pointer);
        assert_eq!((summary.number, summary.answer), (1, None));
        let stage = summary.stage.unwrap();
        assert!((stage.width - 400.0).abs() < 1e-9 && (stage.target_height - 52.0).abs() < 1e-9);
        assert!(summary.input.is_some());
    }

    #[test]
    fn key_press_is_no_pointer_press() {
        assert_eq!(
            summarise(&CheckBuilder::keyboard().first_batch()).first_input,
            FirstInput::Keyboard
        );
    }

    #[test]
    fn target_without_size_has_no_stage() {
        let mut draft = CheckBuilder::person();
        draft.first["layout"][1]["w"] = 0.into();
        assert_eq!(summarise(&draft.first_batch()).stage, None);
        draft.first["layout"] = serde_json::json!([]);
        assert_eq!(summarise(&draft.first_batch()).stage, None);
    }
}
