//! Options of every list command: a limit, a start position and a filter.

use super::invocation::Invocation;
use super::number::positive;
use crate::admin_client::AdminClient;
use crate::exit::{CommandError, Exit};
use crate::output::Table;
use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::ops::ControlFlow;
use utoipa::ToSchema;
use voight_api::admin;
use voight_api::route::{Call, EmptyBody, List};
use voight_domain::registry::find_by_prefix;

/// Number of entries per request of a paged list.
const PAGE: usize = 1000;

/// Options of every list command.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Paging {
    /// Print at most this number of entries
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = positive)]
    limit: Option<usize>,
    /// Start after this entry: its id as printed by the list, or a unique prefix of it
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    /// Print only entries in which a value contains this text, ignoring case
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
}

/// An entry of a list.
pub(super) trait ListEntry: Serialize {
    /// Command that creates the first entry; empty if no command does.
    const CREATE: &'static str = "";

    /// Returns the id, which identifies the position in the list.
    fn id(&self) -> String;
}

/// Page of a list.
pub(super) struct ListPage<T> {
    /// Entries of the page.
    pub(super) entries: Vec<T>,
    /// `true` if more entries follow.
    has_more: bool,
    /// `true` if an option may have left out entries.
    is_filtered: bool,
}

/// Passes every entry of a paged list of the admin API to `visit`, until it breaks. Reads `size` entries per request.
fn visit_pages<T: ListEntry + ToSchema + DeserializeOwned>(
    client: &AdminClient,
    call: &Call<EmptyBody, List<T>>,
    mut after: Option<String>,
    size: usize,
    mut visit: impl FnMut(T) -> Result<ControlFlow<()>, CommandError>,
) -> Result<(), CommandError> {
    loop {
        let call = call
            .clone()
            .with_query("after", after.as_deref())
            .with_query("limit", Some(&size.to_string()));
        let page = client.call(&call)?;
        let is_last = page.len() < size;
        after = page.last().map(ListEntry::id);
        for entry in page {
            if visit(entry)?.is_break() {
                return Ok(());
            }
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Passes every entry of a paged list of the admin API to `visit`, in the order of the list.
pub(super) fn visit_all<T: ListEntry + ToSchema + DeserializeOwned>(
    client: &AdminClient,
    call: &Call<EmptyBody, List<T>>,
    mut visit: impl FnMut(T) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    visit_pages(client, call, None, PAGE, |entry| {
        visit(entry).map(ControlFlow::Continue)
    })
}

impl Paging {
    /// Reads a list that the admin API returns in one response.
    pub(super) fn read<T: ListEntry + ToSchema + DeserializeOwned>(
        &self,
        client: &AdminClient,
        call: &Call<EmptyBody, List<T>>,
    ) -> Result<ListPage<T>, CommandError> {
        self.page(client.call(call)?)
    }

    /// Reads a list that the admin API returns in pages, until the limit is reached.
    pub(super) fn read_pages<T: ListEntry + ToSchema + DeserializeOwned>(
        &self,
        client: &AdminClient,
        call: &Call<EmptyBody, List<T>>,
    ) -> Result<ListPage<T>, CommandError> {
        self.read_pages_of(client, call, None)
    }

    /// Reads the entries of a paged list for which `is_listed`, if given, returns `true`, until the limit is reached.
    pub(super) fn read_pages_of<T: ListEntry + ToSchema + DeserializeOwned>(
        &self,
        client: &AdminClient,
        call: &Call<EmptyBody, List<T>>,
        is_listed: Option<&dyn Fn(&T) -> bool>,
    ) -> Result<ListPage<T>, CommandError> {
        let mut entries = Vec::new();
        // One entry more than is printed shows that more follow.
        let needed_entries = self
            .limit
            .map_or(usize::MAX, |limit| limit.saturating_add(1));
        let is_part = self.filter.is_some() || is_listed.is_some();
        let size = if is_part {
            PAGE
        } else {
            needed_entries.min(PAGE)
        };
        visit_pages(client, call, self.after.clone(), size, |entry| {
            if is_listed.is_none_or(|is_listed| is_listed(&entry)) && self.matches(&entry)? {
                entries.push(entry);
            }
            Ok(if entries.len() < needed_entries {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            })
        })?;
        let page = self.cut(entries);
        Ok(ListPage {
            is_filtered: page.is_filtered || is_part,
            ..page
        })
    }

    /// Returns the part of a complete list.
    pub(super) fn page<T: ListEntry>(&self, all: Vec<T>) -> Result<ListPage<T>, CommandError> {
        let start = match &self.after {
            None => 0,
            Some(after) => 1 + position(&all, after)?,
        };
        let mut entries = Vec::new();
        for entry in all.into_iter().skip(start) {
            if self.matches(&entry)? {
                entries.push(entry);
            }
        }
        Ok(self.cut(entries))
    }

    /// Returns the last entries of a complete list, unless `--after` says where to begin.
    pub(super) fn latest<T: ListEntry>(&self, all: Vec<T>) -> Result<ListPage<T>, CommandError> {
        if self.after.is_some() {
            return self.page(all);
        }
        let mut entries = Self {
            limit: None,
            ..self.clone()
        }
        .page(all)?
        .entries;
        let surplus = entries
            .len()
            .saturating_sub(self.limit.unwrap_or(usize::MAX));
        entries.drain(..surplus);
        Ok(ListPage {
            entries,
            has_more: false,
            is_filtered: self.is_filtered(),
        })
    }

    fn cut<T>(&self, mut entries: Vec<T>) -> ListPage<T> {
        let limit = self.limit.unwrap_or(usize::MAX);
        let has_more = entries.len() > limit;
        entries.truncate(limit);
        ListPage {
            entries,
            has_more,
            is_filtered: self.is_filtered(),
        }
    }

    const fn is_filtered(&self) -> bool {
        self.filter.is_some() || self.after.is_some()
    }

    fn matches(&self, entry: &impl ListEntry) -> Result<bool, CommandError> {
        let Some(filter) = &self.filter else {
            return Ok(true);
        };
        let value = serde_json::to_value(entry).map_err(|error| {
            CommandError::internal(format!("an entry cannot be written as JSON: {error}"))
        })?;
        Ok(contains(&value, &filter.to_lowercase()))
    }
}

/// Returns the position of the entry with this id, or with this unique prefix of its id.
fn position<T: ListEntry>(all: &[T], after: &str) -> Result<usize, CommandError> {
    let entry = find_by_prefix(after, all.iter().enumerate(), |(_, entry)| entry.id());
    entry.map(|(position, _)| position).map_err(|error| {
        CommandError::new(
            Exit::Usage,
            format!("--after {after:?} {error}; write the id of an entry of the list"),
        )
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

impl<T: ListEntry> ListPage<T> {
    /// Prints the entries and, if more follow, the option that continues the list. An empty list is followed by the next step.
    pub(super) fn print(
        &self,
        invocation: &Invocation,
        table: impl FnOnce(&[T]) -> Table,
    ) -> Result<(), CommandError> {
        invocation
            .output
            .data(&self.entries, |entries| table(entries))?;
        if let Some(last) = self.entries.last().filter(|_| self.has_more) {
            invocation
                .output
                .note(format_args!("More entries follow: --after {}", last.id()));
        }
        if self.entries.is_empty() {
            invocation.output.note(self.empty_note());
        }
        Ok(())
    }
}

impl<T: ListEntry> ListPage<T> {
    /// Describes an empty list, with the command that creates the first entry.
    fn empty_note(&self) -> String {
        match T::CREATE {
            _ if self.is_filtered => "No entry matches the options.".to_owned(),
            "" => "The list is empty.".to_owned(),
            create => format!("The list is empty. Next: voight {create}"),
        }
    }
}

/// Implements `ListEntry` by the field that holds the id, and the command that creates the first entry.
macro_rules! entries {
    ($($entry:ty: $id:ident $(, $create:literal)?;)*) => {
        $(impl ListEntry for $entry {
            $(const CREATE: &'static str = $create;)?

            fn id(&self) -> String {
                self.$id.to_string()
            }
        })*
    };
}

impl ListEntry for admin::ListedVerdict {
    fn id(&self) -> String {
        self.verdict.address.clone()
    }
}

entries! {
    admin::Client: client_id, "client create NAME";
    admin::Key: key_id, "key create --client CLIENT";
    admin::FoundVerdict: context_id;
    admin::Context: context_id, "context create --key KEY_ID TITLE";
    admin::InvoiceSummary: id;
    admin::Adjustment: number;
    admin::NamedToken: id, "admin token create --name NAME --role ROLE";
    admin::User: id, "user invite NAME --role ROLE";
    admin::Label: address;
    admin::AuditRecord: seq;
    admin::UsageLine: client_id;
    admin::SigningKey: kid;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, PartialEq, Serialize)]
    struct Item {
        id: String,
        name: &'static str,
    }

    impl ListEntry for Item {
        fn id(&self) -> String {
            self.id.clone()
        }
    }

    fn items() -> Vec<Item> {
        let names = ["Acme", "beta", "acme labs", "Gamma"];
        names
            .into_iter()
            .enumerate()
            .map(|(number, name)| Item {
                id: format!("01k{number}abcd"),
                name,
            })
            .collect()
    }

    fn names(paging: &Paging) -> (Vec<&'static str>, bool) {
        let page = paging.page(items()).unwrap();
        (
            page.entries.iter().map(|item| item.name).collect(),
            page.has_more,
        )
    }

    fn paging(limit: Option<usize>, after: Option<&str>, filter: Option<&str>) -> Paging {
        Paging {
            limit,
            after: after.map(str::to_owned),
            filter: filter.map(str::to_owned),
        }
    }

    #[test]
    fn list_is_limited_continued_and_filtered() {
        assert_eq!(names(&paging(None, None, None)).0.len(), 4);
        assert_eq!(
            names(&paging(Some(2), None, None)),
            (vec!["Acme", "beta"], true)
        );
        assert_eq!(
            names(&paging(Some(2), Some("01k1"), None)),
            (vec!["acme labs", "Gamma"], false)
        );
        assert_eq!(
            names(&paging(None, None, Some("ACME"))),
            (vec!["Acme", "acme labs"], false)
        );
        assert_eq!(
            names(&paging(Some(1), Some("01k0abcd"), Some("acme"))),
            (vec!["acme labs"], false)
        );
        let latest = paging(Some(1), None, Some("acme")).latest(items()).unwrap();
        assert_eq!(latest.entries, [items()[2].clone()]);
    }

    #[test]
    fn empty_list_names_the_next_step() {
        let note = |paging: &Paging| {
            paging
                .page(Vec::<admin::Client>::new())
                .unwrap()
                .empty_note()
        };
        assert_eq!(
            note(&paging(None, None, None)),
            "The list is empty. Next: voight client create NAME"
        );
        assert_eq!(
            note(&paging(None, None, Some("acme"))),
            "No entry matches the options."
        );
        assert_eq!(
            paging(None, None, None)
                .page(Vec::<Item>::new())
                .unwrap()
                .empty_note(),
            "The list is empty."
        );
    }

    #[test]
    fn unknown_entry_to_begin_after_is_a_usage_error_that_names_the_option() {
        for after in ["01k9", "01", ""] {
            let failure = paging(None, Some(after), None)
                .page(items())
                .map(|page| page.entries)
                .unwrap_err();
            assert!(
                failure.exit == Exit::Usage && failure.message.contains("--after"),
                "{failure}"
            );
        }
    }
}
