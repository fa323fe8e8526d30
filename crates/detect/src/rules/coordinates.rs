//! Coordinates between the pixels of a screen.

use crate::facts::{CheckFacts, OperatingSystem};
use std::collections::BTreeSet;

/// Share of positions above which fractional positions are the norm.
const SHARE: f64 = 0.5;
/// Number of distinct pairs of fractions, in tenths, above which they are not a fixed offset of the frame.
///
/// Rounding may split one offset into two tenths in each direction.
const FRACTIONS: usize = 4;

/// Matches if mouse positions have many different fractions of a device pixel.
///
/// Under an X server and on Windows a mouse moves by whole device pixels. A frame between pixels adds the same fraction to
/// every position; density, zoom and viewport scale are divided out. Other systems report fractions themselves.
pub(super) fn fractional_coordinates(facts: &CheckFacts) -> Option<String> {
    let whole_pixels = facts.system() == Some(OperatingSystem::Windows) || facts.has_x_server();
    if !whole_pixels || !facts.is_chromium() {
        return None;
    }
    let density = density(facts)?;
    let presses: Vec<_> = facts.mouse_presses().map(|(_, down)| down).collect();
    let positions = facts
        .mouse_moves()
        .chain(presses)
        .map(|event| (event.x, event.y));
    let positions: BTreeSet<(i64, i64)> = positions.collect();
    // Hundredths of a pixel are rounded, so a whole device pixel may be off by half of one, times the density.
    let slack = (0.5 * density).ceil() + 1.0;
    let parts: Vec<(i64, i64)> = positions
        .iter()
        .map(|(x, y)| (part(*x, density), part(*y, density)))
        .collect();
    let off = |part: &&(i64, i64)| {
        [part.0, part.1]
            .iter()
            .any(|p| distance_to_whole(*p) > slack)
    };
    let fractional = parts.iter().filter(off).count();
    let kinds: BTreeSet<(i64, i64)> = parts.iter().map(|(x, y)| (x / 10, y / 10)).collect();
    #[expect(clippy::cast_precision_loss, reason = "lists are short")]
    let share = fractional as f64 / positions.len().max(1) as f64;
    (share >= SHARE && kinds.len() > FRACTIONS).then(|| {
        format!(
            "{fractional} of {} positions lie between device pixels",
            positions.len()
        )
    })
}

/// Returns the number of device pixels per CSS pixel.
fn density(facts: &CheckFacts) -> Option<f64> {
    let ratio = facts
        .env
        .device_pixel_ratio
        .filter(|ratio| (0.1..=16.0).contains(ratio))?;
    let scale = facts
        .env
        .viewport
        .as_ref()
        .and_then(|view| view.scale)
        .unwrap_or(1.0);
    (0.1..=16.0).contains(&scale).then_some(ratio * scale)
}

/// Returns the fraction of a device pixel, in hundredths.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "screens are small, and casts saturate"
)]
fn part(hundredths: i64, density: f64) -> i64 {
    ((hundredths as f64 * density).round() as i64).rem_euclid(100)
}

#[expect(clippy::cast_precision_loss, reason = "at most 50")]
fn distance_to_whole(part: i64) -> f64 {
    part.min(100 - part) as f64
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;

    fn scattered() -> CheckBuilder {
        let mut draft = CheckBuilder::person();
        draft.all_rows(|at, row| {
            let at = i64::try_from(at).unwrap();
            row[2] += at * 37 % 100;
            row[3] += at * 53 % 100;
        });
        draft
    }

    #[test]
    fn arbitrary_fractions_are_seen() {
        assert_eq!(CheckBuilder::person().fires("fractional_coordinates"), None);
        assert!(scattered().fires("fractional_coordinates").is_some());
    }

    #[test]
    fn a_frame_between_pixels_is_innocent() {
        let mut draft = CheckBuilder::person();
        draft.all_rows(|_, row| {
            row[2] += 50;
            row[3] += 25;
        });
        assert_eq!(draft.fires("fractional_coordinates"), None);
    }

    #[test]
    fn subpixel_frame_on_dense_screen_is_innocent() {
        let mut draft = CheckBuilder::person();
        draft.first["env"]["devicePixelRatio"] = 1.25.into();
        draft.all_rows(|_, row| {
            for at in [2, 3] {
                // Whole device pixels, plus an offset that rounds both ways.
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_precision_loss,
                    reason = "small numbers"
                )]
                let css = ((row[at] / 100) as f64 * 80.0).round() as i64 + 39;
                row[at] = css + row[at] / 100 % 2;
            }
        });
        assert_eq!(draft.fires("fractional_coordinates"), None);
    }

    #[test]
    fn zoom_and_density_are_taken_out() {
        for (ratio, device) in [(1.1, 110.0), (1.25, 125.0), (1.5, 150.0), (2.0, 200.0)] {
            let mut draft = CheckBuilder::person();
            draft.first["env"]["devicePixelRatio"] = ratio.into();
            draft.all_rows(|_, row| {
                for at in [2, 3] {
                    // The whole number is now one of device pixels.
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_precision_loss,
                        reason = "small numbers"
                    )]
                    let css = (row[at] as f64 * 100.0 / device).round() as i64;
                    row[at] = css;
                }
            });
            assert_eq!(draft.fires("fractional_coordinates"), None, "{ratio}");
        }
    }

    #[test]
    fn fractional_systems_fire_no_rule() {
        let mut draft = scattered();
        draft.first["env"]["ua"] =
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/156.0.0.0 Safari/537.36".into();
        draft.first["env"]["platform"] = "MacIntel".into();
        draft.first["env"]["hints"]["platform"] = "macOS".into();
        assert_eq!(draft.fires("fractional_coordinates"), None);
        let mut missing = scattered();
        missing.first["env"]
            .as_object_mut()
            .unwrap()
            .remove("devicePixelRatio");
        assert_eq!(missing.fires("fractional_coordinates"), None);
    }
}
