//! Compares `docs/reference/component.md` with the code. Both list exactly the same properties, events, states, errors and hashes.

mod integrity;
mod page;

use page::{between, column, section, words};
use std::collections::BTreeSet;

const TYPES: &str = include_str!("../../types/voight.d.ts");
const PROTOCOL: &str = include_str!("../../../../docs/reference/window-protocol.md");
const ELEMENT: &str = include_str!("../../assets/sdk/voight.js");
const EXPLANATIONS: &str = include_str!("../../assets/sdk/diagnostics.js");
const HELPER: &str = include_str!("../../assets/sdk/server.js");
const RECEIPT: &str = include_str!("../../assets/sdk/server/receipt.js");
const HELPER_MODULES: [&str; 6] = [
    include_str!("../../assets/sdk/server/call.js"),
    include_str!("../../assets/sdk/server/keys.js"),
    include_str!("../../assets/sdk/server/offline.js"),
    include_str!("../../assets/sdk/server/options.js"),
    include_str!("../../assets/sdk/server/requests.js"),
    RECEIPT,
];

type Names = BTreeSet<String>;

fn names(found: impl IntoIterator<Item = impl Into<String>>) -> Names {
    found.into_iter().map(Into::into).collect()
}

/// Returns the members of an interface in the type declarations: their names, and `true` if required.
fn members(interface: &str) -> Vec<(&'static str, bool)> {
    let body = between(TYPES, &format!("export interface {interface} {{\n"), "\n}");
    let lines = body
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once(':'));
    let named = lines.map(|(name, _)| (name.trim_end_matches('?'), !name.ends_with('?')));
    named
        .filter(|(name, _)| name.chars().all(char::is_alphanumeric))
        .collect()
}

#[test]
fn properties_are_those_of_the_types() {
    let table = section("## Properties");
    let known = members("VoightProperties")
        .into_iter()
        .filter(|(name, _)| !name.starts_with("on"));
    let known: Vec<_> = known
        .map(|(name, required)| {
            (
                name.to_owned(),
                if required { "yes" } else { "no" }.to_owned(),
            )
        })
        .collect();
    let listed: Vec<_> = column(table, 0).into_iter().zip(column(table, 1)).collect();
    assert_eq!(listed, known);
    let labels = between(table, "Names in `labels`: ", "\n");
    assert_eq!(
        words(labels),
        members("VoightLabels")
            .into_iter()
            .map(|(name, _)| name)
            .collect::<Vec<_>>()
    );
}

#[test]
fn events_and_callbacks_are_those_of_the_types() {
    let table = section("## Events and callbacks");
    let callbacks = column(table, 1);
    let known = members("VoightProperties")
        .into_iter()
        .filter_map(|(name, _)| name.strip_prefix("on"));
    let known: Vec<_> = known
        .map(|name| {
            (
                format!("voight-{}", name.to_lowercase()),
                format!("on{name}"),
            )
        })
        .collect();
    assert_eq!(
        column(table, 0)
            .into_iter()
            .zip(callbacks)
            .collect::<Vec<_>>(),
        known
    );
}

#[test]
fn methods_are_those_of_the_element() {
    let class = between(ELEMENT, "export class VoightCheck", "\n}\n");
    let known = class
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_once('('))
        .map(|(name, _)| name);
    let known = known.filter(|name| name.chars().all(char::is_alphabetic));
    let known = known.filter(|name| *name != "constructor" && !name.ends_with("Callback"));
    let listed = column(section("## Methods"), 0)
        .into_iter()
        .map(|name| name.trim_end_matches("()").to_owned());
    assert_eq!(names(listed), names(known));
}

#[test]
fn states_are_those_of_the_types() {
    let union = between(TYPES, "export type VoightState =\n", ";");
    let known: Vec<_> = union.split('\'').skip(1).step_by(2).collect();
    assert_eq!(column(section("## States"), 0), known);
}

#[test]
fn errors_are_those_of_the_protocol() {
    let protocol = between(
        PROTOCOL,
        "## 4. Error codes of the component",
        "\n`verify()`",
    );
    let (listed, _) = section("## Errors")
        .split_once("### Messages in the console")
        .expect("a subsection");
    assert_eq!(column(listed, 0), column(protocol, 0));
    assert_eq!(column(listed, 1), column(protocol, 1));
    let rejections = between(
        section("## Methods"),
        "besides with the codes ",
        "which are not errors",
    );
    // In that document, each code is followed by its meaning in brackets.
    let (_, protocol) = PROTOCOL
        .split_once("and besides with ")
        .expect("what verify() rejects with besides");
    let known = protocol
        .split("` (")
        .filter_map(|before| before.rsplit_once('`'))
        .map(|(_, code)| code);
    assert_eq!(
        names(words(rejections)),
        names(known.take(words(rejections).len()))
    );
}

/// Returns the codes and remedies of a table in the module that explains errors.
fn remedies(table: &str) -> Vec<(String, String)> {
    let rows = between(EXPLANATIONS, &format!("const {table} = {{\n"), "\n};").split(",\n");
    let rows = rows.filter_map(|row| row.split_once(':'));
    let unquoted = |text: &str| text.trim().trim_matches(['\'', '"', ',']).to_owned();
    rows.map(|(code, remedy)| (code.trim().to_owned(), unquoted(remedy)))
        .collect()
}

#[test]
fn console_messages_are_those_of_the_page() {
    let (errors, mistakes) = section("## Errors")
        .split_once("### Messages in the console")
        .expect("a subsection");
    for (table, listed, action) in [("ERRORS", errors, 2), ("MISTAKES", mistakes, 1)] {
        let actions = column(listed, action)
            .into_iter()
            .map(|text| text.replace('`', ""));
        assert_eq!(
            remedies(table),
            column(listed, 0)
                .into_iter()
                .zip(actions)
                .collect::<Vec<_>>(),
            "{table}"
        );
    }
}

#[test]
fn the_helpers_options_and_errors_are_those_of_the_code() {
    let backend = section("## Backend helper (`getVerdict`)");
    let options = between(HELPER, "@typedef {object} Claim", "*/")
        .split("} [")
        .skip(1);
    let options: Vec<_> = options.filter_map(|rest| rest.split(']').next()).collect();
    assert_eq!(column(between(backend, "| option |", "\n\n"), 0), options);

    let documented = between(RECEIPT, "@typedef {object} Receipt", "*/")
        .split("} ")
        .skip(1);
    let documented: Vec<_> = documented
        .filter_map(|rest| rest.split_whitespace().next())
        .collect();
    let fields = between(backend, "`receipt` is what was redeemed: `{", "}`");
    assert_eq!(fields.split(", ").collect::<Vec<_>>(), documented);

    let thrown = HELPER_MODULES
        .into_iter()
        .flat_map(|module| module.split("new VerdictError('").skip(1));
    let thrown = thrown
        .filter_map(|rest| rest.split('\'').next())
        .map(str::to_owned);
    let receipts = between(RECEIPT, "const ADVICE = {\n", "\n};")
        .lines()
        .filter_map(|line| line.trim().split_once(':'));
    let known = names(thrown.chain(receipts.map(|(reason, _)| format!("receipt_{reason}"))));
    assert_eq!(names(column(section("### Errors"), 0)), known);
}
