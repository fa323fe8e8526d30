//! Events of the log: each line of the sources names one, and docs/reference/log-events.md lists them.

use super::cycles::is_test;
use super::outbound::crates_of_the_program;
use super::{metadata, ours, rust_files};
use std::collections::BTreeMap;
use std::fs;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::visit::{self, Visit};
use syn::{Expr, Ident, ItemMod, LitStr, Macro, Token};
use voight_support::assert_committed;
use voight_tests::paths::repository;

const PAGE: &str = "docs/reference/log-events.md";
const HEAD: &str = include_str!("log_events_head.txt");
const REMEDY: &str =
    "look at the change, then run VOIGHT_UPDATE=1 cargo test -p voight-tests --test it log_events";
const LEVELS: [&str; 5] = ["error", "warn", "info", "debug", "trace"];

/// Line that a source logs.
#[derive(Debug, Default, PartialEq)]
struct LogLine {
    level: String,
    /// Name of the event; empty if the line has none.
    event: String,
    fields: Vec<String>,
    message: String,
}

impl LogLine {
    /// Reads `NAME`, `NAME = VALUE` or `target: VALUE`.
    fn read_argument(&mut self, input: ParseStream) -> syn::Result<()> {
        skip_sigil(input)?;
        let name: Ident = input.parse()?;
        if input.parse::<Option<Token![:]>>()?.is_some() {
            return input.parse::<Expr>().map(drop);
        }
        if input.parse::<Option<Token![=]>>()?.is_some() {
            if name == "event" {
                self.event = input.parse::<LitStr>()?.value();
                return Ok(());
            }
            skip_sigil(input)?;
            input.parse::<Expr>()?;
        }
        self.fields.push(name.to_string());
        Ok(())
    }

    /// Returns the row of the page.
    fn row(&self) -> String {
        let fields = self.fields.iter().map(|field| format!("`{field}`"));
        let fields = fields.collect::<Vec<_>>();
        let fields = if fields.is_empty() {
            "none".to_owned()
        } else {
            fields.join(", ")
        };
        let Self {
            level,
            event,
            message,
            ..
        } = self;
        let level = level.to_uppercase();
        format!("| `{event}` | {level} | {message} | {fields} |\n")
    }
}

impl Parse for LogLine {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let mut line = Self::default();
        while !input.is_empty() && !input.peek(LitStr) {
            line.read_argument(input)?;
            input.parse::<Option<Token![,]>>()?;
        }
        line.message = input.parse::<LitStr>()?.value();
        // The rest are the arguments of the message.
        input.parse::<Option<Token![,]>>()?;
        Punctuated::<Expr, Token![,]>::parse_terminated(input)?;
        Ok(line)
    }
}

/// Skips the sign before a value that is displayed (`%`) or debugged (`?`).
fn skip_sigil(input: ParseStream) -> syn::Result<()> {
    input.parse::<Option<Token![%]>>()?;
    input.parse::<Option<Token![?]>>()?;
    Ok(())
}

/// Lines of a source file, without those of its tests.
#[derive(Default)]
struct LogLines(Vec<LogLine>);

impl Visit<'_> for LogLines {
    fn visit_item_mod(&mut self, item: &ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_macro(&mut self, macro_call: &Macro) {
        let names: Vec<_> = macro_call
            .path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        if let [library, level] = &*names
            && library == "tracing"
            && LEVELS.contains(&level.as_str())
        {
            let line: LogLine = macro_call.parse_body().expect("a line with a message");
            let level = level.clone();
            self.0.push(LogLine { level, ..line });
        }
    }
}

/// Returns the lines of a source.
fn lines_of(source: &str) -> Vec<LogLine> {
    let file = syn::parse_file(source).expect("a source file");
    let mut lines = LogLines::default();
    lines.visit_file(&file);
    lines.0
}

/// Returns the number of lines in the text of a source, also of those within another macro.
fn count_lines(source: &str) -> usize {
    let code = source
        .split_once("#[cfg(test)]\nmod tests {")
        .map_or(source, |(code, _)| code);
    let count = |level: &&str| code.matches(&format!("tracing::{level}!(")).count();
    LEVELS.iter().map(count).sum()
}

/// Returns the lines of the program, each with the path of its source.
fn lines_of_the_program() -> Vec<(String, LogLine)> {
    let metadata = metadata();
    let packages = ours(&metadata);
    let mut lines = Vec::new();
    for name in crates_of_the_program() {
        let manifest = packages[&name].manifest_path.as_std_path();
        for file in rust_files(&manifest.with_file_name("src")) {
            let source = fs::read_to_string(&file).expect("a source file");
            let lines_of_file = lines_of(&source);
            let path = file.display().to_string();
            let count = count_lines(&source);
            assert_eq!(lines_of_file.len(), count, "{path}: a line within a macro");
            lines.extend(lines_of_file.into_iter().map(|line| (path.clone(), line)));
        }
    }
    lines
}

/// Returns the events by their names. Lines with the same event have the same level and message.
fn events(lines: Vec<(String, LogLine)>) -> BTreeMap<String, LogLine> {
    let mut events: BTreeMap<String, LogLine> = BTreeMap::new();
    for (path, line) in lines {
        let is_word = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase());
        let words: Vec<_> = line.event.split('_').collect();
        assert!(
            words.len() > 1 && words.into_iter().all(is_word),
            "{path}: the line {:?} needs an event: a noun and a participle in snake_case",
            line.message
        );
        let Some(event) = events.get_mut(&line.event) else {
            events.insert(line.event.clone(), line);
            continue;
        };
        assert_eq!(
            (&event.level, &event.message),
            (&line.level, &line.message),
            "{path}: {} has two meanings",
            line.event
        );
        let is_new = |field: &String| !event.fields.contains(field);
        let new_fields: Vec<_> = line.fields.into_iter().filter(is_new).collect();
        event.fields.extend(new_fields);
    }
    events
}

#[test]
fn every_log_line_has_an_event_on_the_page() {
    let lines = lines_of_the_program();
    assert!(lines.len() > 60, "only {} lines were found", lines.len());
    let mut page = HEAD.to_owned();
    page.extend(events(lines).values().map(LogLine::row));
    assert_committed(PAGE, page, REMEDY);
}

#[test]
fn log_events_in_other_pages_exist() {
    let events = events(lines_of_the_program());
    for page in voight_tests::paths::committable(&["docs/guides/*.md"]) {
        let text = fs::read_to_string(repository().join(&page)).expect("a page");
        let links = text.split("](").zip(text.split("](").skip(1));
        for (before, _) in
            links.filter(|(_, after)| after.split(')').next().is_some_and(is_page_of_events))
        {
            let (_, name) = before.rsplit_once('[').expect("the text of a link");
            let name = name.trim_matches('`');
            let is_known = events.contains_key(name) || !name.contains('_');
            assert!(is_known, "{}: there is no {name}", page.display());
        }
    }
}

/// Returns `true` for the target of a link to the page.
fn is_page_of_events(target: &str) -> bool {
    target.ends_with("reference/log-events.md")
}

#[test]
fn log_line_is_parsed() {
    let source = r#"
        fn log() {
            tracing::info!(target: TARGET, event = "window_rejected", route, at = %a.b(), ?c, "rejected {why}", why = 1);
        }
        #[cfg(test)]
        mod tests {
            fn log() { tracing::warn!("no event"); }
        }
    "#;
    let line = LogLine {
        level: "info".to_owned(),
        event: "window_rejected".to_owned(),
        fields: ["route", "at", "c"].map(str::to_owned).to_vec(),
        message: "rejected {why}".to_owned(),
    };
    assert_eq!(lines_of(source), [line]);
    assert_eq!(count_lines("select! { tracing::warn!(a) }"), 1);
}
