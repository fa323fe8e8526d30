//! Many clicks of one family in a real browser: movements only.

use super::pointer::RecordedMovement;
use anyhow::Result;
use serde::Deserialize;
use voight_detect::Point;

/// Click. Each event is `[t, x, y, …]`, in ms and CSS pixels.
#[derive(Deserialize)]
struct Click {
    ev: Vec<Vec<f64>>,
}

/// Reads the clicks of a file as movements of the tool `tool`. Events without a position are skipped.
pub(super) fn read(tool: &str, bytes: &[u8]) -> Result<Vec<RecordedMovement>> {
    let clicks: Vec<Click> = serde_json::from_slice(bytes)?;
    let clicks_with_moves = clicks.iter().filter(|click| !click.ev.is_empty());
    Ok(clicks_with_moves
        .map(|click| segment(tool, click))
        .collect())
}

fn segment(tool: &str, click: &Click) -> RecordedMovement {
    let point = |row: &Vec<f64>| match row[..] {
        [t, x, y, ..] => Some(Point { t, x, y }),
        _ => None,
    };
    RecordedMovement {
        source: "browser".to_owned(),
        user: "bot".to_owned(),
        session: String::new(),
        human: false,
        tool: tool.to_owned(),
        points: click.ev.iter().filter_map(point).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_click_is_a_movement() {
        let movements = read(
            "os_curve",
            br#"[{"ev": [[5.5, 1, 2, 1, 0], [21.5, 3, 4.5, 2, 0]], "press": 30}, {"ev": []}]"#,
        );
        let movements = movements.unwrap();
        assert_eq!(
            (
                movements.len(),
                movements[0].tool.as_str(),
                movements[0].human
            ),
            (1, "os_curve", false)
        );
        assert_eq!(
            movements[0].points[1],
            Point {
                t: 21.5,
                x: 3.0,
                y: 4.5
            }
        );
        assert!(read("x", b"{}").is_err());
    }
}
