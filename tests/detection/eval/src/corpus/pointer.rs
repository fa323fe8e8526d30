//! Recorded pointer movements, each to one press: JSON lines, compressed with gzip.

use anyhow::{Context, Result, ensure};
use flate2::read::GzDecoder;
use serde::Deserialize;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use voight_detect::Point;

/// Movement that ends in a press.
#[derive(Debug, Clone)]
pub struct RecordedMovement {
    /// Recording of which it is a part.
    pub source: String,
    /// Person; all bots share a name.
    pub user: String,
    /// Session of the person.
    pub session: String,
    /// `true` if a person made the movement.
    pub human: bool,
    /// Tool that made the movement; `human` for people.
    pub tool: String,
    /// Position of the pointer at each event.
    pub points: Vec<Point>,
}

/// Line of the file. Times are in ms, lengths in pixels; rows after the first are differences.
#[derive(Debug, Deserialize)]
struct MovementLine {
    src: String,
    user: String,
    #[serde(default)]
    sess: String,
    #[serde(rename = "lab")]
    label: u8,
    tool: String,
    d: Vec<[i64; 3]>,
}

/// Reads the segments of every file that ends in `_pointer.jsonl.gz`, in the order of the file names.
///
/// # Errors
///
/// The directory cannot be listed, or a file is not a recording.
pub fn read_all(dir: &Path) -> Result<Vec<RecordedMovement>> {
    let entries =
        fs::read_dir(dir).with_context(|| format!("cannot list the corpus {}", dir.display()))?;
    let mut files = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<_>>>()?;
    files.retain(|file| file.to_string_lossy().ends_with("_pointer.jsonl.gz"));
    files.sort();
    let lists = files
        .iter()
        .map(|file| read(file))
        .collect::<Result<Vec<_>>>()?;
    Ok(lists.into_iter().flatten().flatten().collect())
}

/// Reads the segments of the file at `path`, in its order; `None` if the file does not exist.
pub fn read(path: &Path) -> Result<Option<Vec<RecordedMovement>>> {
    if !path.exists() {
        return Ok(None);
    }
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let lines = BufReader::new(GzDecoder::new(file)).lines().enumerate();
    let read_segment = |(at, line): (usize, std::io::Result<String>)| {
        line.map_err(anyhow::Error::from).and_then(|line| segment(&line)).with_context(|| {
            format!(
                "line {} of {} is not a recorded segment; docs/explanation/detection.md has the format",
                at + 1,
                path.display()
            )
        })
    };
    lines.map(read_segment).collect::<Result<_>>().map(Some)
}

fn segment(line: &str) -> Result<RecordedMovement> {
    let MovementLine {
        src,
        user,
        sess,
        label,
        tool,
        d,
    } = serde_json::from_str(line)?;
    ensure!(
        label <= 1,
        "`lab` is {label}; it must be 0 for a person or 1 for a bot"
    );
    ensure!(!d.is_empty(), "`d` has no points");
    Ok(RecordedMovement {
        source: src,
        user,
        session: sess,
        human: label == 0,
        tool,
        points: undo_deltas(&d),
    })
}

#[expect(
    clippy::cast_precision_loss,
    reason = "screens are small, and movements short"
)]
fn undo_deltas(rows: &[[i64; 3]]) -> Vec<Point> {
    let sum = |[t, x, y]: &mut [i64; 3], row: &[i64; 3]| {
        (*t, *x, *y) = (
            t.saturating_add(row[0]),
            x.saturating_add(row[1]),
            y.saturating_add(row[2]),
        );
        Some(Point {
            t: *t as f64,
            x: *x as f64,
            y: *y as f64,
        })
    };
    rows.iter().scan([0; 3], sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write as _;

    fn file(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut out = GzEncoder::new(&file, Compression::fast());
        out.write_all(text.as_bytes()).unwrap();
        out.finish().unwrap();
        file
    }

    #[test]
    fn deltas_are_undone() {
        let line = r#"{"src":"s","user":"u","sess":"1","lab":0,"tool":"human","press":1,"hold":2,"d":[[0,10,20],[16,-1,2],[17,0,3]]}"#;
        let movements = read(file(line).path()).unwrap().unwrap();
        assert!(movements[0].human);
        assert_eq!(
            movements[0].points[2],
            Point {
                t: 33.0,
                x: 9.0,
                y: 25.0
            }
        );
    }

    #[test]
    fn invalid_line_is_named() {
        assert!(
            read(Path::new("/nowhere/human_pointer.jsonl.gz"))
                .unwrap()
                .is_none()
        );
        let error = read(file(r#"{"src":"s","user":"u","lab":2,"tool":"t","d":[[0,0,0]]}"#).path())
            .unwrap_err();
        let text = format!("{error:#}");
        assert!(
            text.contains("line 1 of") && text.contains("`lab` is 2"),
            "{text}"
        );
    }
}
