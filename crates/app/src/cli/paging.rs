//! The options of every list: a limit, where to begin, a filter.

use super::invocation::Invocation;
use super::number::positive;
use crate::admin_client::{AdminClient, Path};
use crate::exit::{CommandError, Exit};
use crate::output::Table;
use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use voight_domain::registry::find_by_prefix;
use voight_http::admin::dto;

/// Entries that one call of a paged list asks for.
const PAGE: usize = 1000;

/// The options of every list.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Paging {
    /// Print at most this number of entries
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = positive)]
    limit: Option<usize>,
    /// Begin after this entry: its id, as the list prints it, or the unique beginning of it
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    /// Print only entries in which a value contains this text, in upper or lower case
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
}

/// An entry of a list.
pub(super) trait Entry: Serialize {
    /// Its id, in which a list is continued.
    fn id(&self) -> String;
}

/// A part of a list.
pub(super) struct Page<T> {
    /// Its entries.
    pub(super) entries: Vec<T>,
    /// `true` if more entries follow.
    has_more: bool,
}

impl Paging {
    /// Reads a list that the admin API returns in one response.
    pub(super) fn read<T: Entry + DeserializeOwned>(
        &self,
        client: &AdminClient,
        path: &Path,
    ) -> Result<Page<T>, CommandError> {
        self.page(client.get(path)?)
    }

    /// Reads a list that the admin API returns in pages, as far as it has to be read.
    pub(super) fn read_pages<T: Entry + DeserializeOwned>(
        &self,
        client: &AdminClient,
        path: &Path,
    ) -> Result<Page<T>, CommandError> {
        let (mut entries, mut after) = (Vec::new(), self.after.clone());
        // One entry more than is printed shows that more follow.
        let wanted = self.limit.map_or(usize::MAX, |limit| limit.saturating_add(1));
        loop {
            let size = if self.filter.is_none() { wanted.saturating_sub(entries.len()).min(PAGE) } else { PAGE };
            let call = path.clone().with_query("after", after.as_deref()).with_query("limit", Some(&size.to_string()));
            let page: Vec<T> = client.get(&call)?;
            let is_last = page.len() < size;
            after = page.last().map(Entry::id);
            for entry in page {
                if self.matches(&entry)? {
                    entries.push(entry);
                }
            }
            if is_last || entries.len() >= wanted {
                return Ok(self.cut(entries));
            }
        }
    }

    /// Returns the part of a complete list.
    pub(super) fn page<T: Entry>(&self, all: Vec<T>) -> Result<Page<T>, CommandError> {
        let skipped = match &self.after {
            None => 0,
            Some(after) => 1 + position(&all, after)?,
        };
        let mut entries = Vec::new();
        for entry in all.into_iter().skip(skipped) {
            if self.matches(&entry)? {
                entries.push(entry);
            }
        }
        Ok(self.cut(entries))
    }

    /// Returns the last entries of a complete list, unless `--after` says where to begin.
    pub(super) fn latest<T: Entry>(&self, all: Vec<T>) -> Result<Page<T>, CommandError> {
        if self.after.is_some() {
            return self.page(all);
        }
        let mut entries = Self { limit: None, ..self.clone() }.page(all)?.entries;
        let surplus = entries.len().saturating_sub(self.limit.unwrap_or(usize::MAX));
        entries.drain(..surplus);
        Ok(Page { entries, has_more: false })
    }

    fn cut<T>(&self, mut entries: Vec<T>) -> Page<T> {
        let limit = self.limit.unwrap_or(usize::MAX);
        let has_more = entries.len() > limit;
        entries.truncate(limit);
        Page { entries, has_more }
    }

    fn matches(&self, entry: &impl Entry) -> Result<bool, CommandError> {
        let Some(filter) = &self.filter else { return Ok(true) };
        let value = serde_json::to_value(entry)
            .map_err(|error| CommandError::internal(format!("an entry cannot be written as JSON: {error}")))?;
        Ok(contains(&value, &filter.to_lowercase()))
    }
}

/// The position of the entry with this id, or with the only id that begins so.
fn position<T: Entry>(all: &[T], after: &str) -> Result<usize, CommandError> {
    let found = find_by_prefix(after, all.iter().enumerate(), |(_, entry)| entry.id());
    found.map(|(position, _)| position).map_err(|error| {
        CommandError::new(Exit::Usage, format!("--after {after:?} {error}; write the id of an entry of the list"))
    })
}

/// Returns `true` if a text or number in `value` contains `text`, which is in lower case.
fn contains(value: &Value, text: &str) -> bool {
    match value {
        Value::String(found) => found.to_lowercase().contains(text),
        Value::Number(found) => found.to_string().contains(text),
        Value::Array(values) => values.iter().any(|value| contains(value, text)),
        Value::Object(members) => members.values().any(|value| contains(value, text)),
        Value::Bool(_) | Value::Null => false,
    }
}

impl<T: Entry> Page<T> {
    /// Prints the entries, and how to go on if more follow.
    pub(super) fn print(&self, invocation: &Invocation, table: impl FnOnce(&[T]) -> Table) -> Result<(), CommandError> {
        invocation.output.data(&self.entries, |entries| table(entries))?;
        if let Some(last) = self.entries.last().filter(|_| self.has_more) {
            invocation.output.note(format_args!("More entries follow: --after {}", last.id()));
        }
        Ok(())
    }
}

/// Names the member that is the id of an entry.
macro_rules! entries {
    ($($entry:ty: $id:ident),* $(,)?) => {
        $(impl Entry for $entry {
            fn id(&self) -> String {
                self.$id.to_string()
            }
        })*
    };
}

entries! {
    dto::Client: client_id,
    dto::Key: key_id,
    dto::Context: context_id,
    dto::InvoiceSummary: id,
    dto::Adjustment: number,
    dto::NamedToken: id,
    dto::Verdict: address,
    dto::Label: address,
    dto::AuditRecord: seq,
    dto::UsageLine: client_id,
    dto::SigningKey: kid,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, PartialEq, Serialize)]
    struct Item {
        id: String,
        name: &'static str,
    }

    impl Entry for Item {
        fn id(&self) -> String {
            self.id.clone()
        }
    }

    fn items() -> Vec<Item> {
        let names = ["Acme", "beta", "acme labs", "Gamma"];
        names.into_iter().enumerate().map(|(number, name)| Item { id: format!("01k{number}abcd"), name }).collect()
    }

    fn names(paging: &Paging) -> (Vec<&'static str>, bool) {
        let page = paging.page(items()).unwrap();
        (page.entries.iter().map(|item| item.name).collect(), page.has_more)
    }

    fn paging(limit: Option<usize>, after: Option<&str>, filter: Option<&str>) -> Paging {
        Paging { limit, after: after.map(str::to_owned), filter: filter.map(str::to_owned) }
    }

    #[test]
    fn list_is_limited_continued_and_filtered() {
        assert_eq!(names(&paging(None, None, None)).0.len(), 4);
        assert_eq!(names(&paging(Some(2), None, None)), (vec!["Acme", "beta"], true));
        assert_eq!(names(&paging(Some(2), Some("01k1"), None)), (vec!["acme labs", "Gamma"], false));
        assert_eq!(names(&paging(None, None, Some("ACME"))), (vec!["Acme", "acme labs"], false));
        assert_eq!(names(&paging(Some(1), Some("01k0abcd"), Some("acme"))), (vec!["acme labs"], false));
        let latest = paging(Some(1), None, Some("acme")).latest(items()).unwrap();
        assert_eq!(latest.entries, [items()[2].clone()]);
    }

    #[test]
    fn unknown_entry_to_begin_after_is_a_usage_error_that_names_the_option() {
        for after in ["01k9", "01", ""] {
            let failure = paging(None, Some(after), None).page(items()).map(|page| page.entries).unwrap_err();
            assert!(failure.exit == Exit::Usage && failure.message.contains("--after"), "{failure}");
        }
    }
}
