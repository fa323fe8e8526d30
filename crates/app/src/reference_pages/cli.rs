//! `docs/reference/cli.md`, and a page for each command in `docs/reference/cli/`.

use super::REMEDY;
use crate::cli::Cli;
use crate::exit::exit_specs;
use clap::{Arg, Command, CommandFactory as _};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use voight_support::assert_committed;

/// Directory of the pages of commands.
const DIRECTORY: &str = "docs/reference/cli";

const HEAD: &str = "\
# Command line

Commands use the server that answers on the socket in the data directory, the server that `--server` names, or open the store
themselves if no server runs ([protect the admin API](../guides/protect-the-admin-api.md)). Each command has a page, whose text
`voight COMMAND --help` prints.

This page is generated from the definition of the command line
(`VOIGHT_UPDATE=1 cargo test -p voight --lib reference`).
";

/// Returns a text as the content of a table cell or a paragraph: on one line, without markup.
fn escaped(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Code spans need no escapes except in tables.
    let parts = text.split('`').enumerate();
    let parts = parts.map(|(index, part)| {
        let part = part.replace('|', "\\|");
        if index % 2 == 0 {
            part.replace('<', "\\<")
        } else {
            part
        }
    });
    parts.collect::<Vec<_>>().join("`")
}

/// Ends a text with a full stop.
fn sentence(text: String) -> String {
    if text.ends_with('.') {
        text
    } else {
        text + "."
    }
}

/// Returns the subcommands that the help lists.
fn subcommands(command: &Command) -> impl Iterator<Item = &Command> {
    command
        .get_subcommands()
        .filter(|sub| !sub.is_hide_set() && sub.get_name() != "help")
}

/// Returns the arguments of a command itself.
fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    let is_automatic = |argument: &Arg| matches!(argument.get_id().as_str(), "help" | "version");
    let own_arguments = command
        .get_arguments()
        .filter(|argument| !argument.is_global_set() && !argument.is_hide_set());
    own_arguments.filter(move |argument| !is_automatic(argument))
}

/// Returns the row of an argument.
fn row(argument: &Arg) -> String {
    let short = argument
        .get_short()
        .map(|short| format!("`-{short}`, "))
        .unwrap_or_default();
    let help = argument
        .get_long_help()
        .or(argument.get_help())
        .map(ToString::to_string)
        .unwrap_or_default();
    let mut facts = vec![
        help.split("\n\n")
            .map(escaped)
            .collect::<Vec<_>>()
            .join(". "),
    ];
    let list = |values: Vec<String>| values.join(", ");
    if argument.get_action().takes_values() {
        let values = argument.get_possible_values();
        let values = values
            .iter()
            .filter(|value| !value.is_hide_set())
            .map(|value| match value.get_help() {
                Some(help) => format!("`{}` ({})", value.get_name(), escaped(&help.to_string())),
                None => format!("`{}`", value.get_name()),
            });
        facts.push(list(values.collect()));
        let defaults = argument
            .get_default_values()
            .iter()
            .map(|value| format!("`{}`", value.to_string_lossy()));
        facts.push(list(defaults.collect()));
    }
    facts.push(
        argument
            .get_env()
            .map(|name| format!("`{}`", name.to_string_lossy()))
            .unwrap_or_default(),
    );
    let titles = ["", "Values: ", "Default: ", "Environment: "];
    let named_facts = facts
        .iter()
        .zip(titles)
        .filter(|(fact, _)| !fact.is_empty());
    let mut text: Vec<_> = named_facts
        .map(|(fact, title)| sentence(format!("{title}{fact}")))
        .collect();
    if argument.is_required_set() && !argument.is_positional() {
        text.push("Required.".to_owned());
    }
    format!(
        "| {short}`{}` | {} |\n",
        argument.to_string().replace('|', "\\|"),
        text.join(" ")
    )
}

fn table<'a>(arguments: impl Iterator<Item = &'a Arg>) -> String {
    let rows: String = arguments.map(row).collect();
    if rows.is_empty() {
        rows
    } else {
        format!("\n| argument | meaning |\n|---|---|\n{rows}")
    }
}

/// Returns the paragraphs of the description.
fn description(command: &Command) -> String {
    let text = command
        .get_long_about()
        .or(command.get_about())
        .map(ToString::to_string)
        .unwrap_or_default();
    text.split("\n\n")
        .map(|paragraph| sentence(escaped(paragraph)))
        .collect::<Vec<_>>()
        .join("\n\n")
}

/// Returns the examples of the long help, as a code block.
fn examples(command: &Command) -> String {
    let text = command
        .get_after_long_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    let Some(examples) = text.trim().strip_prefix("Examples:") else {
        return String::new();
    };
    let lines = examples
        .trim_matches('\n')
        .lines()
        .map(|line| line.strip_prefix("  ").unwrap_or(line));
    format!(
        "\nExamples:\n\n```sh\n{}\n```\n",
        lines.collect::<Vec<_>>().join("\n")
    )
}

/// Appends the sections of a command and of its subcommands. The command itself has a heading of `level`.
fn sections(path: &str, command: &Command, level: usize, page: &mut String) {
    let _ = writeln!(
        page,
        "{} {path}\n\n{}",
        "#".repeat(level),
        description(command)
    );
    if subcommands(command).next().is_none() {
        let usage = command.clone().render_usage().to_string();
        let _ = writeln!(
            page,
            "\n```text\n{}\n```",
            usage.trim_start_matches("Usage: ")
        );
        page.push_str(&table(arguments(command)));
    } else {
        page.push('\n');
        page.extend(subcommands(command).map(|sub| index_row(path, sub)));
    }
    page.push_str(&examples(command));
    for sub in subcommands(command) {
        page.push('\n');
        sections(&format!("{path} {}", sub.get_name()), sub, level + 1, page);
    }
}

/// Returns the one-line help of a command.
fn about(command: &Command) -> String {
    escaped(
        &command
            .get_about()
            .map(ToString::to_string)
            .unwrap_or_default(),
    )
}

/// Returns the link to a command on its page, and its one-line help.
fn index_row(path: &str, command: &Command) -> String {
    let path = format!("{path} {}", command.get_name());
    format!(
        "- [`{path}`](#{}): {}\n",
        path.replace(' ', "-"),
        about(command)
    )
}

/// Returns the row of a command in the table of all commands, with links to its page.
fn table_row(command: &Command) -> String {
    let name = command.get_name();
    let subcommands: Vec<_> = subcommands(command)
        .map(|sub| format!("[`{0}`](cli/{name}.md#voight-{name}-{0})", sub.get_name()))
        .collect();
    format!(
        "| [`voight {name}`](cli/{name}.md) | {} | {} |\n",
        about(command),
        subcommands.join(", ")
    )
}

/// Returns the page of all commands.
fn index_page(root: &Command) -> String {
    let mut page = HEAD.to_owned();
    page.push_str("\n## Global options\n\nEvery command accepts these options.\n");
    page.push_str(&table(
        root.get_arguments()
            .filter(|argument| argument.is_global_set()),
    ));
    page.push_str("\n## Exit codes\n\nEvery command uses the same exit codes: 0 is success");
    for exit in exit_specs() {
        let _ = write!(
            page,
            ", [{0}](errors.md#exit-code-{0}) {1}",
            exit.code, exit.word
        );
    }
    page.push_str(".\n\n## Commands\n\n| command | effect | subcommands |\n|---|---|---|\n");
    page.extend(subcommands(root).map(table_row));
    page
}

/// Returns the page of a command.
fn command_page(command: &Command) -> String {
    let mut page = String::new();
    sections(
        &format!("voight {}", command.get_name()),
        command,
        1,
        &mut page,
    );
    page.push_str("\n[All commands, global options and exit codes](../cli.md)\n");
    page
}

#[test]
fn committed_command_pages_are_the_generated_ones() {
    let mut root = Cli::command();
    root.build();
    assert_committed("docs/reference/cli.md", index_page(&root), REMEDY);
    let mut names = BTreeSet::new();
    for command in subcommands(&root) {
        let name = format!("{}.md", command.get_name());
        assert_committed(format!("{DIRECTORY}/{name}"), command_page(command), REMEDY);
        names.insert(name);
    }
    let files = fs::read_dir(
        Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(DIRECTORY),
    )
    .unwrap();
    let files: BTreeSet<_> = files
        .map(|file| file.unwrap().file_name().display().to_string())
        .collect();
    assert_eq!(
        files, names,
        "delete the page of a command that does not exist"
    );
}
