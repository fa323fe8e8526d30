//! Layout check: the targets were rendered where the server drew them, and the presses hit them.
//!
//! All positions are compared within the viewport of one document, in CSS pixels, so zoom, scrolling and screen density
//! cancel out. A press without a pointer (a key, a switch, a screen reader) has no position, but its target has.

use super::ParsedBatch;
use crate::batch_summary::px;
use crate::evidence_schema::{HitTarget, PointerEvent, PointerType, Rectangle, RectangleRole};
use crate::press::Press;
use voight_domain::check::{StageSize, TargetPosition};

/// Maximum distance of a rendered target from its drawn position, in CSS pixels.
///
/// The window positions it with the rounded sizes of stage and target (at most 1 px each), and browsers snap boxes to device
/// pixels (at most 1 px at any zoom).
const TOLERANCE: f64 = 2.0;
/// Maximum distance of a touch from its target, in CSS pixels: browsers move a tap to a target this near.
const TOUCH_TOLERANCE: f64 = 24.0;

/// Minimum free area beside a target, in square CSS pixels. With less, evidence of another check would fit by chance.
///
/// A position matches within [`TOLERANCE`] to each side, so it matches by chance in at most 16 of 20,000 cases. The window
/// leaves 23,900 on a page of 280 px, and 25,500 on the lowest phone in landscape orientation.
const MIN_FREE_AREA: f64 = 20_000.0;

/// Returns `true` if the targets and presses of a check are where the server drew them.
pub(super) fn is_consistent(
    first_target: TargetPosition,
    second_target: Option<TargetPosition>,
    first: Option<&ParsedBatch<'_>>,
    second: Option<&ParsedBatch<'_>>,
) -> bool {
    let holds_first =
        |batch| target_holds(batch, RectangleRole::First, HitTarget::First, first_target);
    let holds_second = |batch| {
        second_target.is_none_or(|place| {
            target_holds(batch, RectangleRole::Second, HitTarget::Second, place)
        })
    };
    first.is_none_or(holds_first) && second.is_none_or(holds_second)
}

fn target_holds(
    batch: &ParsedBatch<'_>,
    rectangle: RectangleRole,
    role: HitTarget,
    place: TargetPosition,
) -> bool {
    let Some(press) = Press::find(&batch.parsed.pointer, role) else {
        return false;
    };
    let rectangles = Rendered::from_layout(&batch.parsed.layout, rectangle);
    let is_hit = |down| {
        rectangles
            .iter()
            .any(|pair| pair.contains_press(down, place))
    };
    rectangles.iter().any(|pair| pair.is_at(place)) && press.down.is_none_or(is_hit)
}

/// Stage, and the target that was rendered on it.
struct Rendered {
    stage: Rectangle,
    target: Rectangle,
}

impl Rendered {
    fn from_layout(layout: &[Rectangle], role: RectangleRole) -> Vec<Self> {
        let mut stage = None;
        let mut pairs = Vec::new();
        for rectangle in layout {
            if rectangle.role == RectangleRole::Stage {
                stage = Some(*rectangle);
            } else if let Some(stage) = stage.filter(|_| rectangle.role == role) {
                pairs.push(Self {
                    stage,
                    target: *rectangle,
                });
            }
        }
        pairs
    }

    /// Returns the expected corner of the target, relative to the viewport.
    fn corner(&self, place: TargetPosition) -> (f64, f64) {
        let stage = StageSize {
            width: px(self.stage.w),
            height: px(self.stage.h),
            target_width: px(self.target.w),
            target_height: px(self.target.h),
        };
        let (x, y) = stage.corner(place);
        (px(self.stage.x) + x, px(self.stage.y) + y)
    }

    /// Returns `true` if the target was rendered at `place`.
    fn is_at(&self, place: TargetPosition) -> bool {
        let (x, y) = self.corner(place);
        let near = |a: f64, b: f64| (a - b).abs() <= TOLERANCE;
        self.has_area() && near(px(self.target.x), x) && near(px(self.target.y), y)
    }

    fn has_area(&self) -> bool {
        let room = |stage: i64, target: i64| {
            if target > 0 {
                (px(stage) - px(target)).max(0.0)
            } else {
                0.0
            }
        };
        room(self.stage.w, self.target.w) * room(self.stage.h, self.target.h) >= MIN_FREE_AREA
    }

    /// Returns `true` if the pointer went down on the target, at its rendered or at its expected position.
    ///
    /// The window records a resize before it moves the target, so only the expected position may match.
    fn contains_press(&self, down: &PointerEvent, place: TargetPosition) -> bool {
        let slack = if down.pointer == PointerType::Touch {
            TOUCH_TOLERANCE
        } else {
            TOLERANCE
        };
        let within =
            |at: f64, from: f64, length: f64| at >= from - slack && at <= from + length + slack;
        let on = |(x, y): (f64, f64)| {
            within(px(down.x), x, px(self.target.w)) && within(px(down.y), y, px(self.target.h))
        };
        on((px(self.target.x), px(self.target.y))) || on(self.corner(place))
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{CheckBuilder, SECOND};
    use voight_domain::check::{GateRejection, TargetPosition};
    use voight_domain::ports::Judgement;

    fn rejected(draft: &CheckBuilder) -> bool {
        draft.judge() == Judgement::Rejected(GateRejection::LayoutMismatch)
    }

    #[test]
    fn presses_are_on_their_targets() {
        assert!(matches!(
            CheckBuilder::person().judge(),
            Judgement::Assessed(_)
        ));
    }

    #[test]
    fn misplaced_target_is_rejected() {
        let mut other_seed = CheckBuilder::person();
        other_seed.seed = [200, 0, 10, 0, 0, 0, 0, 0];
        assert!(rejected(&other_seed));
        let mut other_second = CheckBuilder::person();
        other_second.second_place = Some(TargetPosition {
            x: 0.1,
            y: SECOND.y,
        });
        assert!(rejected(&other_second));
    }

    #[test]
    fn stage_of_target_size_is_rejected() {
        for (from, length) in [("x", "w"), ("y", "h")] {
            let mut draft = CheckBuilder::person();
            for member in [from, length] {
                draft.first["layout"][0][member] = draft.first["layout"][1][member].clone();
            }
            assert!(rejected(&draft), "{length}");
        }
        for (width, allowed) in [(20_100, true), (20_000, false)] {
            let mut small = CheckBuilder::person();
            small.reshape_stage(width, 30_000);
            assert_eq!(rejected(&small), !allowed, "{width}");
        }
    }

    #[test]
    fn press_beside_target_is_rejected() {
        let mut draft = CheckBuilder::person();
        draft.move_press(-200);
        assert!(rejected(&draft));
    }

    #[test]
    fn rounding_and_scrolling_are_accepted() {
        let mut draft = CheckBuilder::person();
        draft.shift_viewport(37, -1250);
        assert!(matches!(draft.judge(), Judgement::Assessed(_)));
        for member in ["x", "y"] {
            let mut draft = CheckBuilder::person();
            let at = draft.first["layout"][1][member].as_i64().unwrap();
            draft.first["layout"][1][member] = (at + 150).into();
            assert!(matches!(draft.judge(), Judgement::Assessed(_)));
            draft.first["layout"][1][member] = (at + 250).into();
            assert!(rejected(&draft));
        }
    }

    #[test]
    fn resize_before_target_move_is_accepted() {
        let mut draft = CheckBuilder::person();
        draft.resize_first(32_000);
        assert!(matches!(draft.judge(), Judgement::Assessed(_)));
    }

    #[test]
    fn press_needs_a_rectangle() {
        for member in ["layout", "pointer"] {
            let mut draft = CheckBuilder::person();
            draft.second[member] = serde_json::json!([]);
            assert!(rejected(&draft), "{member}");
        }
        let mut keys = CheckBuilder::keyboard();
        keys.first["layout"] = serde_json::json!([]);
        assert!(rejected(&keys), "a key presses what is shown");
        let mut draft = CheckBuilder::person();
        draft.second_place = None;
        draft.second["layout"] = serde_json::json!([]);
        assert!(matches!(draft.judge(), Judgement::Assessed(_)));
    }

    #[test]
    fn a_key_has_no_place() {
        assert!(matches!(
            CheckBuilder::keyboard().judge(),
            Judgement::Assessed(_)
        ));
        // A pointer presses the first target and a key the second.
        let mut draft = CheckBuilder::person();
        draft.second["pointer"] = CheckBuilder::keyboard().first["pointer"].clone();
        draft.second["pointer"][0][12] = 2.into();
        assert!(matches!(draft.judge(), Judgement::Assessed(_)));
    }
}
