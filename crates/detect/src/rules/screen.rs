//! Impossible screens and windows.

use crate::evidence_schema::{PointerType, Size};
use crate::facts::CheckFacts;

/// Maximum excess of a maximised window over its screen, in CSS pixels: some systems hide its borders there.
const BORDERS: f64 = 32.0;

/// Matches if the screen, or a window of Chromium, has no size.
///
/// Some browsers on phones do not report the size of their window.
pub(super) fn no_screen(facts: &CheckFacts) -> Option<String> {
    let is_empty = |size: f64| size <= 0.0;
    let screen = facts.env.screen.as_ref();
    let sides = screen.and_then(|screen| screen.w.zip(screen.h));
    if let Some((w, h)) = sides.filter(|(w, h)| is_empty(*w) || is_empty(*h)) {
        return Some(format!("the screen has {w} by {h} pixels"));
    }
    let outer = facts
        .env
        .outer
        .as_ref()
        .filter(|_| facts.is_chromium())
        .and_then(sides_of);
    outer
        .filter(|(w, h)| is_empty(*w) && is_empty(*h))
        .map(|_| "the window has no size".to_owned())
}

/// Matches if the window is larger than its screen.
pub(super) fn outsized_window(facts: &CheckFacts) -> Option<String> {
    let screen = facts.env.screen.as_ref()?;
    let (w, h) = screen
        .w
        .zip(screen.h)
        .filter(|(w, h)| *w > 0.0 && *h > 0.0)?;
    let (outer_w, outer_h) = facts.env.outer.as_ref().and_then(sides_of)?;
    (outer_w > w + BORDERS || outer_h > h + BORDERS)
        .then(|| format!("a window of {outer_w} by {outer_h} pixels is on a screen of {w} by {h}"))
}

fn sides_of(size: &Size) -> Option<(f64, f64)> {
    size.w.zip(size.h)
}

/// Matches if a finger pressed, but the browser reports no touch screen.
pub(super) fn no_touch_screen(facts: &CheckFacts) -> Option<String> {
    let points = facts.env.max_touch_points?;
    let downs = facts.presses().filter_map(|press| press.down);
    let touch_count = downs
        .filter(|down| down.pointer == PointerType::Touch && down.trusted)
        .count();
    (points <= 0.0 && touch_count > 0)
        .then(|| "a finger pressed where no touch screen is".to_owned())
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;
    use serde_json::json;

    #[test]
    fn ordinary_and_missing_values_trigger_no_rule() {
        let mut missing = CheckBuilder::person();
        missing.first["env"] = json!({});
        for rule in ["no_screen", "outsized_window", "no_touch_screen"] {
            assert_eq!(CheckBuilder::person().fires(rule), None, "{rule}");
            assert_eq!(missing.fires(rule), None, "{rule} without evidence");
        }
    }

    #[test]
    fn screen_without_size_is_reported() {
        let mut screen = CheckBuilder::person();
        screen.first["env"]["screen"] = json!({"w": 0, "h": 0});
        assert!(screen.fires("no_screen").is_some());
        let mut window = CheckBuilder::person();
        window.first["env"]["outer"] = json!({"w": 0, "h": 0});
        assert!(window.fires("no_screen").is_some());
        window.first["env"]["engine"]["errorShape"] = "jsc".into();
        assert_eq!(
            window.fires("no_screen"),
            None,
            "a phone that does not tell"
        );
    }

    #[test]
    fn window_larger_than_screen_is_reported() {
        for (w, h, fires) in [
            (1936, 1096, false),
            (1920, 1113, true),
            (2000, 1080, true),
            (1920, 1080, false),
        ] {
            let mut draft = CheckBuilder::person();
            draft.first["env"]["outer"] = json!({"w": w, "h": h});
            assert_eq!(
                draft.fires("outsized_window").is_some(),
                fires,
                "{w} by {h}"
            );
        }
    }

    #[test]
    fn a_finger_without_a_touch_screen_is_seen() {
        let mut draft = CheckBuilder::person();
        draft.all_rows(|_, row| row[10] = 2);
        assert!(draft.fires("no_touch_screen").is_some());
        draft.first["env"]["maxTouchPoints"] = 5.into();
        assert_eq!(draft.fires("no_touch_screen"), None);
    }
}
