//! Addresses in newline-delimited JSON.

use super::cell::{QuotedCell, quoted_list};
use super::column_plan::{ColumnPlan, Columns};
use super::line::{LineError, UploadEntry};
use super::line_reader::{LineReader, UploadError};
use super::options::ListOptions;
use super::used_columns::UsedColumns;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;
use std::io::Read;

/// Parser of lines, with the members that it reads.
pub(super) struct NdjsonParser {
    options: ListOptions,
    used_columns: UsedColumns,
    /// Members of the preceding object, and which of them are read.
    preceding: Option<(Vec<String>, ColumnPlan)>,
    /// `true` after the first valid line, which determines the members of all lines.
    has_started: bool,
}

/// Members of an object, in their order.
struct Members<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

/// Text of a JSON string.
#[derive(serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl NdjsonParser {
    /// Creates a parser.
    pub(super) fn new(options: ListOptions) -> Self {
        Self {
            options,
            used_columns: UsedColumns::default(),
            preceding: None,
            has_started: false,
        }
    }

    /// Returns the members; none before the first line.
    pub(super) fn used_columns(&self) -> &UsedColumns {
        &self.used_columns
    }

    /// Reads the next line that is not empty. Returns `None` at the end of the input.
    pub(super) fn read_entry<R: Read>(
        &mut self,
        lines: &mut LineReader<R>,
    ) -> Result<Option<Result<UploadEntry, LineError>>, UploadError> {
        if !lines.start_record()? {
            return Ok(None);
        }
        match self.entry(lines.record()) {
            // The first line determines the members of all lines.
            Err(LineError::Members(error)) if !self.has_started => Err(UploadError::Columns {
                line: lines.record_line(),
                error,
            }),
            entry => Ok(Some(entry)),
        }
    }

    fn entry(&mut self, line: &[u8]) -> Result<UploadEntry, LineError> {
        if line.trim_ascii_start().starts_with(b"\"") {
            let Text(cell) = parse_json(line)?;
            self.choose(Columns::Unnamed {
                count: 1,
                cell: &cell,
            })?;
            return UploadEntry::from_cells(cell.as_bytes().trim_ascii(), None);
        }
        let Members(members) = parse_json(line)?;
        let plan = self.plan(&members)?;
        let cell = |index: usize| {
            members
                .get(index)
                .map_or(Ok(Cow::Borrowed("")), |(_, value)| cell_text(value))
        };
        let address = cell(plan.address)?;
        let amount = plan
            .amount
            .map(|amount| Ok::<_, LineError>((cell(amount.index)?, amount)))
            .transpose()?;
        let amount = amount
            .as_ref()
            .map(|(cell, column)| (cell.as_bytes().trim_ascii(), *column));
        UploadEntry::from_cells(address.as_bytes().trim_ascii(), amount)
    }

    /// Returns the members to read.
    fn plan(&mut self, members: &[(Cow<'_, str>, &RawValue)]) -> Result<ColumnPlan, LineError> {
        if let Some((names, plan)) = &self.preceding
            && names.len() == members.len()
            && names
                .iter()
                .zip(members)
                .all(|(name, (member, _))| name == member)
        {
            return Ok(*plan);
        }
        let names: Vec<_> = members
            .iter()
            .map(|(name, _)| name.clone().into_owned())
            .collect();
        let repeated_name = names
            .iter()
            .enumerate()
            .find(|(index, name)| names[..*index].contains(name));
        if let Some((_, name)) = repeated_name {
            return Err(LineError::RepeatedMember {
                name: QuotedCell::new(name),
            });
        }
        let plan = self.choose(Columns::Named(&names))?;
        self.preceding = Some((names, plan));
        Ok(plan)
    }

    /// Chooses the columns of a line. They are those of the first line.
    fn choose(&mut self, columns: Columns<'_>) -> Result<ColumnPlan, LineError> {
        let plan = ColumnPlan::new(columns, &self.options)?;
        let mut used_columns = self.used_columns.clone();
        used_columns.add(columns, plan);
        if self.has_started {
            let members = described(&used_columns);
            let expected_members = described(&self.used_columns);
            if members != expected_members {
                return Err(LineError::OtherMembers {
                    members,
                    expected: expected_members,
                });
            }
        }
        self.used_columns = used_columns;
        self.has_started = true;
        Ok(plan)
    }
}

/// Describes the members with address and amount.
fn described(used_columns: &UsedColumns) -> String {
    let amount = used_columns.amount.as_ref().map(|(name, _)| name.as_str());
    let members = quoted_list(std::iter::once(used_columns.address.as_str()).chain(amount));
    if amount.is_some() {
        members
    } else {
        format!("{members} without an amount")
    }
}

/// Returns the text of a value: that of a string without quotation marks, nothing for `null`, and others as they are written.
fn cell_text(value: &RawValue) -> Result<Cow<'_, str>, LineError> {
    match value.get() {
        "null" => Ok(Cow::Borrowed("")),
        text if text.starts_with('"') => parse_json(text.as_bytes()).map(|Text(text)| text),
        text => Ok(Cow::Borrowed(text)),
    }
}

fn parse_json<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, LineError> {
    serde_json::from_slice(text).map_err(|error| LineError::Json {
        column: error.column(),
    })
}

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct MembersVisitor;
        impl<'de> Visitor<'de> for MembersVisitor {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some((Text(name), value)) = map.next_entry()? {
                    members.push((name, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(MembersVisitor)
    }
}
