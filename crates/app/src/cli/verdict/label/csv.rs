//! Labels as CSV lines `address,label,reason,consent`. A reason with commas, quotes or line ends is quoted (RFC 4180).

use crate::cli::address_cell::{is_header, parse_cell};
use csv::{ReaderBuilder, StringRecord, WriterBuilder};
use std::collections::HashMap;
use voight_api::admin::{Label, NewLabel, Truth};
use voight_api::usage_formats::{formula_guard, without_formula_guard};
use voight_domain::EoaAddress;

const HEADING: &str = "address,label,reason,consent";

/// CSV record of a file.
struct CsvRecord {
    /// Number of the record's first line.
    line: usize,
    fields: StringRecord,
    /// `true` when its last quote is closed.
    is_closed: bool,
}

/// Parses the labels in a file, or returns a message for each invalid line. A heading, empty lines and a byte order mark are
/// skipped.
pub(crate) fn labels(text: &str) -> Result<Vec<NewLabel>, Vec<String>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut labels = Vec::new();
    let mut wrong = Vec::new();
    let mut first_lines = HashMap::new();
    for record in records(text).map_err(|error| vec![error.to_string()])? {
        let number = record.line;
        let fields = &record.fields;
        let is_heading = number == 1 && is_header("address", fields.iter());
        if is_heading || fields.iter().all(|field| field.trim().is_empty()) {
            continue;
        }
        match label(&record) {
            Ok((address, label)) => {
                if let Some(first) = first_lines.insert(address, number) {
                    wrong.push(format!("line {number}: {address} has a label on line {first} already; leave one out"));
                }
                labels.push(label);
            }
            Err(why) => wrong.push(format!("line {number}: {why}")),
        }
    }
    if labels.is_empty() && wrong.is_empty() {
        wrong.push(format!(
            "there is no label in it; write lines like {HEADING}"
        ));
    }
    if wrong.is_empty() {
        Ok(labels)
    } else {
        Err(wrong)
    }
}

fn records(text: &str) -> Result<Vec<CsvRecord>, csv::Error> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .from_reader(text.as_bytes());
    let mut records = Vec::new();
    let mut fields = StringRecord::new();
    let mut start = 0;
    let mut line = 1;
    while reader.read_record(&mut fields)? {
        let end = usize::try_from(reader.position().byte()).unwrap_or(usize::MAX);
        let raw_record = text.get(start..end).unwrap_or_default();
        // The reader attributes the preceding line end, and empty lines, to the record after them.
        let record_text = raw_record.trim_start_matches(['\r', '\n']);
        let is_closed = record_text.matches('"').count().is_multiple_of(2);
        records.push(CsvRecord {
            line: line + newlines(raw_record) - newlines(record_text),
            fields: fields.clone(),
            is_closed,
        });
        (start, line) = (end, line + newlines(raw_record));
    }
    Ok(records)
}

fn newlines(text: &str) -> usize {
    text.matches('\n').count()
}

/// Formats labels as CSV lines. A reason that a spreadsheet would evaluate as a formula is prefixed with an apostrophe, which
/// the parser removes.
pub(super) fn lines(labels: &[Label]) -> String {
    let line = |Label {
                    address,
                    label,
                    consent,
                    reason,
                    ..
                }: &Label| {
        let reason = reason.replace(char::is_control, " ");
        let consent = if *consent { "yes" } else { "no" };
        [
            address.as_str(),
            &crate::output::word(label),
            &formula_guard(&reason),
            consent,
        ]
        .map(str::to_owned)
    };
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    let result = std::iter::once(HEADING.split(',').map(str::to_owned).collect::<Vec<_>>())
        .chain(labels.iter().map(|label| line(label).to_vec()))
        .try_for_each(|cells| writer.write_record(cells));
    // Writing to a vector cannot fail, and its bytes are the text that was written to it.
    let bytes = result
        .ok()
        .and_then(|()| writer.into_inner().ok())
        .unwrap_or_default();
    String::from_utf8(bytes)
        .unwrap_or_default()
        .trim_end()
        .to_owned()
}

fn label(
    CsvRecord {
        fields, is_closed, ..
    }: &CsvRecord,
) -> Result<(EoaAddress, NewLabel), String> {
    let field = |at: usize| fields.get(at).map(str::trim).unwrap_or_default();
    if !is_closed {
        return Err("a quote is not closed".to_owned());
    }
    if fields.len() > 4 {
        return Err(format!(
            "{} fields; {HEADING} are four, and a reason with a comma needs quotes",
            fields.len()
        ));
    }
    let address = parse_cell(field(0))?;
    let truth = match field(1) {
        "human" => Truth::Human,
        "bot" => Truth::Bot,
        other => return Err(format!("the label is {other:?}; write human or bot")),
    };
    let consent = match field(3) {
        "yes" => true,
        "" | "no" => false,
        other => return Err(format!("consent is {other:?}; write yes or no")),
    };
    let reason = without_formula_guard(field(2))
        .lines()
        .collect::<Vec<_>>()
        .join(" ");
    let reason = Some(reason).filter(|reason| !reason.is_empty());
    Ok((
        address,
        NewLabel {
            address: address.to_string(),
            label: truth,
            consent,
            reason,
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "0x1111111111111111111111111111111111111111";
    const TWO: &str = "0x2222222222222222222222222222222222222222";

    fn wrong(text: &str) -> String {
        labels(text).unwrap_err().join("; ")
    }

    #[test]
    fn a_file_of_labels_is_read_with_or_without_heading() {
        let text = format!(
            "\u{feff}address,label,reason,consent\r\n{ONE},human,\"met, and \"\"known\"\"\",yes\r\n\n{TWO},bot\n"
        );
        let parsed_labels = labels(&text).unwrap();
        assert_eq!(parsed_labels.len(), 2);
        assert_eq!(
            (parsed_labels[0].label, parsed_labels[0].consent),
            (Truth::Human, true)
        );
        assert_eq!(
            parsed_labels[0].reason.as_deref(),
            Some("met, and \"known\"")
        );
        assert_eq!(
            (
                parsed_labels[1].label,
                parsed_labels[1].consent,
                &parsed_labels[1].reason
            ),
            (Truth::Bot, false, &None)
        );
    }

    #[test]
    fn a_quoted_reason_may_have_line_ends_and_later_lines_keep_their_numbers() {
        let text =
            format!("{ONE},bot,\"first\r\nsecond\",yes\r\n\r\n{TWO},bot,he said \"no\" twice\r\n");
        let parsed_labels = labels(&text).unwrap();
        assert_eq!(parsed_labels[0].reason.as_deref(), Some("first second"));
        assert_eq!(
            parsed_labels[1].reason.as_deref(),
            Some("he said \"no\" twice")
        );
        assert_eq!(
            wrong(&text.replace(TWO, "0x2")).split(':').next(),
            Some("line 4")
        );
    }

    #[test]
    fn written_values_are_read_back() {
        let label = Label {
            address: ONE.into(),
            label: Truth::Human,
            consent: true,
            reason: "a, \"b\"".into(),
            at: "2026-11-21T10:00:00Z".into(),
        };
        let parsed_labels = labels(&lines(&[label])).unwrap();
        assert_eq!(
            (parsed_labels[0].reason.as_deref(), parsed_labels[0].consent),
            (Some("a, \"b\""), true)
        );
    }

    #[test]
    fn no_reason_is_a_formula() {
        for reason in [
            "=HYPERLINK(\"http://evil.example\",\"x\")",
            "+1",
            "-1",
            "@SUM(A1)",
            "'=1",
        ] {
            let label = Label {
                address: ONE.into(),
                label: Truth::Bot,
                consent: false,
                reason: reason.into(),
                at: "2026-11-21T10:00:00Z".into(),
            };
            let csv_text = lines(&[label]);
            let cell = csv_text
                .split(",bot,")
                .nth(1)
                .unwrap()
                .trim_start_matches('"');
            assert!(cell.starts_with('\''), "{csv_text}");
            assert_eq!(
                labels(&csv_text).unwrap()[0].reason.as_deref(),
                Some(reason)
            );
        }
    }

    #[test]
    fn every_wrong_line_is_named() {
        let text = format!(
            "{ONE},human\n0x12,bot\n{TWO},robot\n{ONE},bot\n{TWO},bot,a,maybe\n{TWO},bot,a,b,c\n{TWO},bot,\"a"
        );
        let wrong = wrong(&text);
        for part in [
            "line 2: ",
            "line 3: the label is \"robot\"; write human or bot",
            "line 4: 0x1111111111111111111111111111111111111111 has a label on line 1 already",
            "line 5: consent is \"maybe\"",
            "line 6: 5 fields",
            "line 7: a quote is not closed",
        ] {
            assert!(wrong.contains(part), "{part} is not in {wrong}");
        }
    }

    #[test]
    fn an_empty_file_is_no_success() {
        for text in ["", "\n\n", "address,label\n"] {
            assert!(wrong(text).contains("there is no label in it"), "{text:?}");
        }
    }
}
