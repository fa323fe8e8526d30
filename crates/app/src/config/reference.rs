//! The page docs/reference/configuration.md, generated from the schema. Tests compare it with the committed page.

use super::key::{member, with_index};
use super::layer::{ConfigLayer, Source};
use super::schema::{ConfigKey, description, is_table, schema};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;
use voight_support::assert_committed;

const HEAD: &str = "\
# Configuration

Every key of the configuration, with its default. No key is required. [Configure the service](../guides/configure.md) explains the
sources of values and which of them overrides which.

This page is generated from the types in `crates/app/src/config`; `VOIGHT_UPDATE=1 cargo test -p voight` writes it. `voight config init`
prints the same keys as a commented TOML file, `voight config schema` as a JSON schema.
";

fn page() -> String {
    let mut page = HEAD.to_owned();
    table(&mut page, "", schema());
    page
}

fn table(page: &mut String, name: &str, schema: &Value) {
    let properties = || schema["properties"].as_object().into_iter().flatten();
    for (key, schema) in properties().filter(|(_, schema)| !is_table(schema)) {
        let name = member(name, key);
        let key = ConfigKey::new(schema);
        let _ = write!(
            page,
            "\n### `{name}`\n\n{}\n\n{}",
            key.effect(),
            facts(&name, &key)
        );
    }
    for (key, schema) in properties().filter(|(_, schema)| is_table(schema)) {
        let name = member(name, key);
        let (header, name, members) = match schema.get("items") {
            Some(items) => (format!("[[{name}]]"), format!("{name}[]"), items),
            None => (format!("[{name}]"), name, schema),
        };
        let _ = write!(page, "\n## `{header}`\n\n{}\n", description(schema));
        table(page, &name, members);
    }
}

/// Returns the list of properties of a key.
fn facts(name: &str, key: &ConfigKey) -> String {
    let mut list = format!("- Type: {}\n", key.accepted());
    for (word, meaning) in key.choices() {
        let _ = writeln!(list, "  - `{word}`: {meaning}");
    }
    if let Some(unit) = key.unit() {
        let _ = writeln!(list, "- Unit: {unit}");
    }
    let default = key
        .default()
        .map_or_else(|| "none".to_owned(), |default| format!("`{default}`"));
    let _ = writeln!(list, "- Default: {default}");
    let variable = if name.contains('[') {
        "none; a list of tables is set in the file only".to_owned()
    } else {
        format!("`{}`", Source::Environment.key_name(name))
    };
    let _ = writeln!(list, "- Environment variable: {variable}");
    if let Some(flag) = key.flag() {
        let _ = writeln!(list, "- Flag: `{flag}`");
    }
    list
}

#[test]
fn the_committed_page_is_the_generated_one() {
    let remedy = "look at the change, then run VOIGHT_UPDATE=1 cargo test -p voight";
    assert_committed("docs/reference/configuration.md", page(), remedy);
}

#[test]
fn every_key_has_an_entry_and_every_entry_is_a_key() {
    let page = page();
    let entries: Vec<_> = page
        .lines()
        .filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`'))
        .collect();
    let names: BTreeSet<_> = entries.iter().copied().collect();
    assert_eq!(
        names.len(),
        entries.len(),
        "an entry is there twice: {entries:?}"
    );
    let default_keys: BTreeSet<_> = ConfigLayer::defaults()
        .values
        .keys()
        .map(|key| with_index(key, ""))
        .collect();
    assert_eq!(names, default_keys.iter().map(String::as_str).collect());
}
