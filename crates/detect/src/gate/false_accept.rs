//! Measures how often evidence of one check fits the layout of another, and compares it with the README.

use super::{ParsedBatch, layout};
use crate::evidence_schema::EvidenceDocument;
use crate::testing::CheckBuilder;
use voight_domain::check::{Challenge, MIN_DISTANCE, StageSize, TargetPosition, second_target};

/// Number of random layouts per stage.
const LAYOUTS: u32 = 100_000;
/// Size of a target in test checks, in pixels.
const TARGET: (f64, f64) = (120.0, 52.0);

/// Row of the README's table for one stage.
struct StageRow {
    shown: &'static str,
    /// Width and height, in hundredths of a pixel.
    size: (i64, i64),
}

const ROWS: [StageRow; 4] = [
    StageRow {
        shown: "a desktop",
        size: (37_600, 31_200),
    },
    StageRow {
        shown: "a page of 320 px",
        size: (25_200, 31_200),
    },
    StageRow {
        shown: "a phone on its side",
        size: (45_600, 12_800),
    },
    StageRow {
        shown: "the least that passes",
        size: (20_100, 30_000),
    },
];

/// Returns random bytes that are equal in every run.
fn bytes(layout: u32, of: &str) -> [u8; 32] {
    blake3::derive_key(of, &layout.to_le_bytes())
}

/// Counts the layouts that the evidence fits, and those whose targets have the required distance.
fn counts(draft: &CheckBuilder, stage: &StageSize, presses: usize) -> (u32, u32) {
    let batches = draft.batches();
    let parsed_batches = batches.iter().map(|batch| ParsedBatch {
        batch,
        parsed: EvidenceDocument::read(&batch.body).unwrap(),
    });
    let parsed_batches: Vec<ParsedBatch<'_>> = parsed_batches.collect();
    let mut fitting = 0;
    let mut far = 0;
    for at in 0..LAYOUTS {
        let mut challenge: Challenge = draft.challenge();
        challenge.seed.copy_from_slice(&bytes(at, "seed")[..8]);
        let first = challenge.first_target();
        let second = second_target(&bytes(at, "place"), stage, first);
        far += u32::from(stage.distance(first, second) >= MIN_DISTANCE);
        let second = (presses == 2).then_some(second);
        fitting += u32::from(layout::is_consistent(
            first,
            second,
            parsed_batches.first(),
            parsed_batches.get(1),
        ));
    }
    (fitting, far)
}

#[expect(clippy::cast_precision_loss, reason = "small numbers of a test")]
fn stage_of((width, height): (i64, i64)) -> StageSize {
    StageSize {
        width: width as f64 / 100.0,
        height: height as f64 / 100.0,
        target_width: TARGET.0,
        target_height: TARGET.1,
    }
}

/// Formats the row as in the README.
fn line(row: &StageRow) -> String {
    let stage = stage_of(row.size);
    let mut pointer = CheckBuilder::person();
    pointer.reshape_stage(row.size.0, row.size.1);
    let mut keys = pointer.clone();
    keys.first["pointer"] = CheckBuilder::keyboard().first["pointer"].clone();
    let (both, far) = counts(&pointer, &stage, 2);
    let (one, _) = counts(&keys, &stage, 1);
    assert!(one * 1000 < LAYOUTS, "{}: {one} of {LAYOUTS}", row.shown);
    let corner = stage.corner(TargetPosition { x: 1.0, y: 1.0 });
    let share = f64::from(far) * 100.0 / f64::from(LAYOUTS);
    format!(
        "| {} | {:.0} x {:.0} | {one} | {both} | {share:.1} % |",
        row.shown, corner.0, corner.1
    )
}

#[test]
fn foreign_evidence_rarely_fits_a_layout() {
    let readme = include_str!("../../README.md");
    let lines: Vec<String> = ROWS.iter().map(line).collect();
    let missing: Vec<&String> = lines
        .iter()
        .filter(|line| !readme.contains(line.as_str()))
        .collect();
    assert!(missing.is_empty(), "README.md should say: {missing:#?}");
}
