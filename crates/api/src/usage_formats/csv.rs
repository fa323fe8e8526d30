//! Comma-separated values (RFC 4180), safe to open in a spreadsheet.

use super::formula::formula_guard;
use csv::{Terminator, WriterBuilder};
use std::io::{self, Write};
use voight_domain::services::LookupRecord;

const HEADINGS: [&str; 8] = [
    "seq",
    "at",
    "context_id",
    "key_id",
    "free",
    "is_bot",
    "score",
    "commitment",
];

/// Writes the header line.
pub(super) fn begin(out: &mut dyn Write) -> io::Result<()> {
    line(&HEADINGS, out)
}

/// Writes one line for each record.
pub(super) fn write(records: &[LookupRecord], out: &mut dyn Write) -> io::Result<()> {
    records
        .iter()
        .try_for_each(|record| line(&cells(record), out))
}

fn cells(record: &LookupRecord) -> [String; HEADINGS.len()] {
    let row = &record.row;
    [
        record.seq.to_string(),
        record.at.to_string(),
        record.context.to_string(),
        record.key.to_string(),
        row.free.to_string(),
        row.answer.is_bot.to_string(),
        row.answer.score.to_string(),
        row.commitment.to_string(),
    ]
}

fn line(cells: &[impl AsRef<str>], out: &mut dyn Write) -> io::Result<()> {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(out);
    writer.write_record(
        cells
            .iter()
            .map(|text| formula_guard(text.as_ref()).into_owned()),
    )?;
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::super::event_id::tests::record;
    use super::*;
    use voight_domain::vocabulary::Environment;

    #[test]
    fn record_is_a_line_under_its_headings() {
        let mut out = Vec::new();
        begin(&mut out).unwrap();
        write(
            &[record(Environment::Live, 1), record(Environment::Live, 2)],
            &mut out,
        )
        .unwrap();
        let row_tail = format!(
            "2026-11-21T10:00:00.25Z,spring.01k0ab3cdefghjkmnpqrstvwxy,02081040g2081040g2081040g2,FREE,true,0.69,{}\r\n",
            "ab".repeat(32)
        );
        let expected_file = format!(
            "seq,at,context_id,key_id,free,is_bot,score,commitment\r\n1,{}2,{}",
            row_tail.replace("FREE", "true"),
            row_tail.replace("FREE", "false")
        );
        assert_eq!(String::from_utf8(out).unwrap(), expected_file);
    }

    #[test]
    fn no_cell_is_a_formula() {
        for (text, expected) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1", "'-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "\"'\r=1\""),
            ("=\"a\",b", "\"'=\"\"a\"\",b\""),
            ("a=1", "a=1"),
            ("", ""),
        ] {
            let mut out = Vec::new();
            line(&[text, "x"], &mut out).unwrap();
            assert_eq!(
                String::from_utf8(out).unwrap(),
                format!("{expected},x\r\n"),
                "{text:?}"
            );
        }
    }

    #[test]
    fn commas_quotes_and_line_ends_stay_in_their_cell() {
        for (text, expected) in [
            ("a,b", "\"a,b\""),
            ("a\"b", "\"a\"\"b\""),
            ("a\nb", "\"a\nb\""),
            ("a b", "a b"),
        ] {
            let mut out = Vec::new();
            line(&[text, "x"], &mut out).unwrap();
            assert_eq!(
                String::from_utf8(out).unwrap(),
                format!("{expected},x\r\n"),
                "{text:?}"
            );
        }
    }
}
