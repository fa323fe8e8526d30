//! Ledger exports as text: one JSON object per line, as described in `docs/reference/ledger-export-format.md`.
//!
//! Each line has exactly one valid encoding. A reader rejects any other, so that no data can be hidden between the members.

mod amount;
mod book;
mod header;
mod invoice;
mod row;

#[cfg(test)]
mod tests;

use crate::jwk::KeySet;
use crate::text::parsed;
use book::PriceBookJson;
use header::HeaderJson;
use invoice::InvoiceJson;
use row::RowJson;
use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use voight_domain::ledger_audit::{AuditError, ExportLine, FORMAT, ListedContext, Trailer};
use voight_domain::secrets::PublicKeys;

/// Maximum length of a line that is read, in bytes including the line feed. An invoice with thousands of credits is the longest
/// line that is written.
pub const LINE_MAX: usize = 4 << 20;

/// Line of an export.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum LineJson {
    Header(HeaderJson),
    Context(ContextText),
    Row(RowJson),
    PriceBook(PriceBookJson),
    Invoice(Box<InvoiceJson>),
    Trailer(TrailerText),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ContextText {
    number: u32,
    id: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrailerText {
    lines: u64,
    seal: String,
}

/// Format of a header whose other members may be unknown.
#[derive(Debug, Deserialize)]
struct Probe {
    header: FormatOnly,
}

#[derive(Debug, Deserialize)]
struct FormatOnly {
    format: u64,
}

/// Returns the text of a line without its line feed.
pub fn write_line(line: &ExportLine) -> String {
    // Serialising strings, numbers and flags cannot fail.
    serde_json::to_string(&LineJson::from(line)).unwrap_or_default()
}

/// Parses line `number` of an export, counted from 1, with its line feed. Returns the line and its text without the line feed.
pub fn read_line(number: u64, bytes: &[u8]) -> Result<(ExportLine, &str), AuditError> {
    let unreadable = |why: &str| AuditError::Unreadable {
        line: number,
        why: why.to_owned(),
    };
    let Some(line) = bytes.strip_suffix(b"\n") else {
        let is_long = bytes.len() > LINE_MAX;
        return Err(unreadable(if is_long {
            "it is too long"
        } else {
            "the file ends in the middle of it"
        }));
    };
    let text = std::str::from_utf8(line).map_err(|_| unreadable("it is not UTF-8"))?;
    Ok((read_text(number, text)?, text))
}

fn read_text(number: u64, text: &str) -> Result<ExportLine, AuditError> {
    if number == 1
        && let Ok(Probe {
            header: FormatOnly { format },
        }) = serde_json::from_str(text)
        && format != u64::from(FORMAT)
    {
        return Err(AuditError::OtherFormat { found: format });
    }
    let unreadable = |why: String| AuditError::Unreadable { line: number, why };
    let line_json: LineJson =
        serde_json::from_str(text).map_err(|error| unreadable(json_error(&error)))?;
    let line = ExportLine::try_from(line_json).map_err(unreadable)?;
    if write_line(&line) == text {
        Ok(line)
    } else {
        Err(unreadable(
            "the line is not in the spelling that the service writes; export the file again"
                .to_owned(),
        ))
    }
}

/// Parses the keys of a service in the format of `/.well-known/voight-keys.json`.
pub fn read_keys(text: &str) -> Result<PublicKeys, String> {
    let key_set: KeySet = serde_json::from_str(text).map_err(|error| json_error(&error))?;
    key_set.try_into()
}

/// Maximum length of a parser message, which may repeat input.
const MAX_PARSER_MESSAGE: usize = 200;

/// Returns the parser's message in one line, without its line number.
fn json_error(error: &serde_json::Error) -> String {
    let character = error.column();
    match error.classify() {
        Category::Eof => return format!("it ends too early, at character {character}"),
        Category::Syntax => {
            return format!("it is not JSON of this format, from character {character} on");
        }
        Category::Data | Category::Io => {}
    }
    let text = error.to_string();
    let description = text
        .rsplit_once(" at line ")
        .map_or(text.as_str(), |(what, _)| what);
    let description: String = description
        .chars()
        .take(MAX_PARSER_MESSAGE)
        .map(|c| {
            if c.is_control() {
                char::REPLACEMENT_CHARACTER
            } else {
                c
            }
        })
        .collect();
    format!("{description} (character {character})")
}

impl From<&ExportLine> for LineJson {
    fn from(line: &ExportLine) -> Self {
        match line {
            ExportLine::Header(header) => Self::Header(header.into()),
            ExportLine::Context(context) => Self::Context(ContextText {
                number: context.number,
                id: context.id.to_string(),
            }),
            ExportLine::Row(row) => Self::Row(row.into()),
            ExportLine::PriceBook(book) => Self::PriceBook(book.into()),
            ExportLine::Invoice(invoice) => Self::Invoice(Box::new(invoice.as_ref().into())),
            ExportLine::Trailer(Trailer { lines, seal }) => Self::Trailer(TrailerText {
                lines: *lines,
                seal: seal.clone(),
            }),
        }
    }
}

impl TryFrom<LineJson> for ExportLine {
    type Error = String;

    fn try_from(text: LineJson) -> Result<Self, Self::Error> {
        Ok(match text {
            LineJson::Header(header) => Self::Header(header.try_into()?),
            LineJson::Context(ContextText { number, id }) => Self::Context(ListedContext {
                number,
                id: parsed("id", &id)?,
            }),
            LineJson::Row(row) => Self::Row(row.try_into()?),
            LineJson::PriceBook(book) => Self::PriceBook(book.try_into()?),
            LineJson::Invoice(invoice) => Self::Invoice(Box::new((*invoice).try_into()?)),
            LineJson::Trailer(TrailerText { lines, seal }) => {
                Self::Trailer(Trailer { lines, seal })
            }
        })
    }
}
