//! Reliability diagram: claims of scores, and shares of correct answers.

use crate::evaluate::CalibrationBin;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Side of the plot and its margin, in pixels.
const SIDE: f64 = 360.0;
const MARGIN_PX: f64 = 60.0;
/// Colour for each share of bots; colour-blind readers can distinguish them.
const COLOURS: [&str; 3] = ["#0072b2", "#d55e00", "#009e73"];

/// Draws a line for each share of bots, for addresses with one check. Claims begin at one half.
pub(super) fn svg(bins: &[CalibrationBin]) -> String {
    let size = SIDE + 2.0 * MARGIN_PX;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" font-family=\"sans-serif\" font-size=\"13\" \
         role=\"img\">\n<title>Reliability of the score, after one check</title>\n\
         <rect width=\"{size}\" height=\"{size}\" fill=\"#ffffff\"/>\n"
    );
    axes(&mut svg);
    for (at, (share, line)) in lines(bins).into_iter().enumerate() {
        draw(&mut svg, COLOURS[at % COLOURS.len()], at, share, &line);
    }
    svg + "</svg>\n"
}

/// Groups the bins after one check by the share of bots in thousandths.
fn lines(bins: &[CalibrationBin]) -> BTreeMap<i64, Vec<&CalibrationBin>> {
    let mut lines: BTreeMap<i64, Vec<&CalibrationBin>> = BTreeMap::new();
    for bin in bins.iter().filter(|bin| bin.checks == 1) {
        #[expect(clippy::cast_possible_truncation, reason = "a share")]
        let share = (bin.bot_share * 1000.0).round() as i64;
        lines.entry(share).or_default().push(bin);
    }
    lines
}

/// Returns the position of a claim (from one half to one) and a share of correct answers.
fn to_pixels(claimed: f64, right: f64) -> (f64, f64) {
    (
        MARGIN_PX + (claimed - 0.5) * 2.0 * SIDE,
        MARGIN_PX + SIDE - right * SIDE,
    )
}

fn axes(svg: &mut String) {
    let low = to_pixels(0.5, 0.0);
    let high = to_pixels(1.0, 1.0);
    let even = to_pixels(0.5, 0.5);
    let _ = writeln!(
        svg,
        "<path d=\"M{} {}V{}H{}\" fill=\"none\" stroke=\"#333333\"/>\n\
         <path d=\"M{} {}L{} {}\" stroke=\"#999999\" stroke-dasharray=\"4\"/>",
        low.0, high.1, low.1, high.0, even.0, even.1, high.0, high.1
    );
    for fifth in 0..=5 {
        let part = f64::from(fifth) / 5.0;
        let claimed_share = f64::midpoint(1.0, part);
        let (x, y) = to_pixels(claimed_share, part);
        label(svg, x, low.1 + 20.0, "middle", claimed_share);
        label(svg, low.0 - 8.0, y + 4.0, "end", part);
    }
    let middle = MARGIN_PX + SIDE / 2.0;
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">confidence: (1 + score) / 2</text>\n\
         <text transform=\"translate(16 {middle}) rotate(-90)\" text-anchor=\"middle\">share of correct answers</text>",
        low.1 + 44.0
    );
}

fn label(svg: &mut String, x: f64, y: f64, anchor: &str, value: f64) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{value}</text>"
    );
}

fn draw(svg: &mut String, colour: &str, at: usize, share: i64, line: &[&CalibrationBin]) {
    let points: Vec<String> = line
        .iter()
        .map(|bin| {
            let (x, y) = to_pixels(bin.claimed, bin.right);
            format!("{x:.1},{y:.1}")
        })
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\"/>",
        points.join(" ")
    );
    for point in &points {
        let (x, y) = point.split_once(',').unwrap_or_default();
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"{colour}\"/>"
        );
    }
    let y = MARGIN_PX + SIDE - 18.0 * crate::stats::float(at + 1);
    let percent = crate::stats::float(usize::try_from(share).unwrap_or(0)) / 10.0;
    let _ = writeln!(
        svg,
        "<text x=\"{}\" y=\"{y}\" fill=\"{colour}\" text-anchor=\"end\">{percent} % bots</text>",
        MARGIN_PX + SIDE - 12.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bot_shares_have_lines_inside_the_plot() {
        let bin = |checks, bot_share, claimed| CalibrationBin {
            checks,
            bot_share,
            claimed,
            right: 0.3,
            n: 10,
        };
        let diagram = svg(&[
            bin(1, 0.05, 0.5),
            bin(1, 0.05, 0.9),
            bin(1, 0.5, 1.0),
            bin(5, 0.2, 0.7),
        ]);
        assert_eq!(
            (
                diagram.matches("<polyline").count(),
                diagram.matches("<circle").count()
            ),
            (2, 3)
        );
        assert!(diagram.contains("5 % bots") && diagram.contains("50 % bots"));
        let (x, y) = to_pixels(1.0, 0.3);
        assert!(x <= MARGIN_PX + SIDE && y <= MARGIN_PX + SIDE);
    }
}
