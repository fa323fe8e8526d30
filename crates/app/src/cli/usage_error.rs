//! Usage errors in one sentence: the fault of the command line, and its correction.

use super::Cli;
use crate::exit::{CommandError, Exit};
use crate::object_kind::ObjectKind;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory};
use std::error::Error as _;
use std::ffi::OsString;

/// Commands by words that other programs use for them.
const COMMAND_SYNONYMS: [(&str, &str); 8] = [
    ("start", "voight serve"),
    ("run", "voight serve"),
    ("up", "voight serve"),
    ("server", "voight serve"),
    ("status", "voight health"),
    ("ready", "voight health"),
    ("lookup", "voight verdict get"),
    ("version", "voight --version"),
];

/// Flags by names that other programs use for them.
const FLAG_SYNONYMS: [(&str, &str); 9] = [
    ("--port", "listen"),
    ("--host", "listen"),
    ("--bind", "listen"),
    ("--address", "listen"),
    ("--admin-port", "admin_listen"),
    ("--db", "store"),
    ("--database", "store"),
    ("--verbose", "log"),
    ("--output", "out"),
];

/// Maximum number of commands of the same name in a suggestion.
const MAX_SUGGESTIONS: usize = 4;

/// Converts a parser error to the failure of the command.
pub(crate) fn usage_failure(error: &clap::Error, arguments: &[OsString]) -> CommandError {
    let mut root = Cli::command();
    // Arguments are formatted by properties that a build sets.
    root.build();
    let (path, command) = named_command(&root, arguments);
    let sentence = Rejected(error).sentence(&path, command, &root);
    CommandError::new(Exit::Usage, format!("{sentence}; see `{path} --help`"))
}

/// Returns `true` if the command line contains `--json`, even though it was rejected.
pub(crate) fn asks_for_json(arguments: &[OsString]) -> bool {
    arguments
        .iter()
        .take_while(|argument| *argument != "--")
        .any(|argument| argument == "--json")
}

/// Returns the command that the arguments name, with its full path.
fn named_command<'a>(root: &'a Command, arguments: &[OsString]) -> (String, &'a Command) {
    let mut path = "voight".to_owned();
    let mut command = root;
    for argument in arguments
        .iter()
        .skip(1)
        .filter_map(|argument| argument.to_str())
    {
        if let Some(sub) = command.find_subcommand(argument) {
            path.extend([" ", argument]);
            command = sub;
        }
    }
    (path, command)
}

/// Parser error.
struct Rejected<'a>(&'a clap::Error);

impl Rejected<'_> {
    fn sentence(&self, path: &str, command: &Command, root: &Command) -> String {
        let argument = self.text(ContextKind::InvalidArg);
        match self.0.kind() {
            ErrorKind::InvalidValue if self.text(ContextKind::InvalidValue).is_empty() => {
                format!("{argument} needs a value")
            }
            ErrorKind::InvalidValue => {
                let value = self.text(ContextKind::InvalidValue);
                let words = self.texts(ContextKind::ValidValue);
                format!(
                    "{value:?} is not a value of {argument}: write {}",
                    any_of(&words)
                )
            }
            ErrorKind::ValueValidation => self.validation(&argument),
            ErrorKind::UnknownArgument => {
                let suggestion = known_flag(&argument, command, root)
                    .unwrap_or_else(|| self.suggestion(ContextKind::SuggestedArg));
                format!("there is no argument {argument}{suggestion}")
            }
            ErrorKind::InvalidSubcommand => self.unknown_command(path, command, root),
            ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                format!("no command was given{}", needs_a_command(path, command))
            }
            ErrorKind::MissingRequiredArgument => {
                format!(
                    "`{path}` needs {}",
                    missing(&self.texts(ContextKind::InvalidArg), command)
                )
            }
            ErrorKind::ArgumentConflict => {
                let prior = self.texts(ContextKind::PriorArg);
                let prior = if prior.is_empty() {
                    "the other arguments".to_owned()
                } else {
                    prior.join(", ")
                };
                format!("{argument} cannot be given together with {prior}")
            }
            ErrorKind::TooManyValues => {
                format!(
                    "{argument} takes no value here, but {:?} was given",
                    self.text(ContextKind::InvalidValue)
                )
            }
            ErrorKind::InvalidUtf8 => "an argument is not valid UTF-8".to_owned(),
            _ => first_line(&self.0.to_string()),
        }
    }

    /// Describes a word that is not a command of `path`.
    fn unknown_command(&self, path: &str, command: &Command, root: &Command) -> String {
        let word = self.text(ContextKind::InvalidSubcommand);
        let suggestion = match known_commands(&word, command, root) {
            commands if !commands.is_empty() => did_you_mean(&commands),
            _ => self.suggestion(ContextKind::SuggestedSubcommand),
        };
        let remedy = if suggestion.is_empty() {
            needs_a_command(path, command)
        } else {
            suggestion
        };
        format!("{word:?} is not a command of `{path}`{remedy}")
    }

    /// Describes a value that its parser rejected. The value of a URL is omitted, because it may contain a password.
    fn validation(&self, argument: &str) -> String {
        let reason = self.0.source().map(ToString::to_string).unwrap_or_default();
        let value = format!("{:?}", self.text(ContextKind::InvalidValue));
        if reason.contains(&value) || argument.contains("URL") {
            format!("{argument}: {reason}")
        } else {
            format!("{argument} is {value}: {reason}")
        }
    }

    fn suggestion(&self, kind: ContextKind) -> String {
        did_you_mean(&self.texts(kind))
    }

    fn text(&self, kind: ContextKind) -> String {
        self.texts(kind).into_iter().next().unwrap_or_default()
    }

    fn texts(&self, kind: ContextKind) -> Vec<String> {
        match self.0.get(kind) {
            Some(ContextValue::String(text)) => vec![text.clone()],
            Some(ContextValue::Strings(texts)) => texts.clone(),
            Some(ContextValue::StyledStr(text)) => vec![text.to_string()],
            Some(ContextValue::StyledStrs(texts)) => {
                texts.iter().map(ToString::to_string).collect()
            }
            _ => Vec::new(),
        }
    }
}

fn did_you_mean(words: &[String]) -> String {
    if words.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}?", any_of(words))
    }
}

/// Returns the commands that a word after `command` means: by its synonym at the root, or as the name of a command of another group.
fn known_commands(word: &str, command: &Command, root: &Command) -> Vec<String> {
    let synonym = COMMAND_SYNONYMS
        .into_iter()
        .find(|(synonym, _)| *synonym == word);
    if let Some((_, path)) = synonym.filter(|_| command.get_name() == root.get_name()) {
        return vec![format!("`{path}`")];
    }
    let mut paths = Vec::new();
    collect_commands(word, root, "voight", &mut paths);
    if paths.len() > MAX_SUGGESTIONS {
        Vec::new()
    } else {
        paths
    }
}

fn collect_commands(word: &str, command: &Command, path: &str, paths: &mut Vec<String>) {
    // The command `help` has a copy of every command.
    for sub in command
        .get_subcommands()
        .filter(|sub| !sub.is_hide_set() && sub.get_name() != "help")
    {
        let path = format!("{path} {}", sub.get_name());
        if sub.get_name() == word {
            paths.push(format!("`{path}`"));
        }
        collect_commands(word, sub, &path, paths);
    }
}

/// Returns the suggestion for a flag of other programs, if the command has a flag with its meaning.
fn known_flag(flag: &str, command: &Command, root: &Command) -> Option<String> {
    let (_, id) = FLAG_SYNONYMS
        .into_iter()
        .find(|(synonym, _)| *synonym == flag)?;
    let argument = command
        .get_arguments()
        .chain(root.get_arguments())
        .find(|argument| argument.get_id() == id)?;
    Some(format!("; use {argument}{}", explanation(argument)))
}

fn needs_a_command(path: &str, command: &Command) -> String {
    let names = command
        .get_subcommands()
        .filter(|sub| !sub.is_hide_set())
        .map(|sub| sub.get_name().to_owned());
    let names: Vec<_> = names.filter(|name| name != "help").collect();
    if names.is_empty() {
        String::new()
    } else {
        format!(": `{path}` has {}", names.join(", "))
    }
}

/// Lists the missing required arguments with their meaning; of a group, one is enough.
fn missing(arguments: &[String], command: &Command) -> String {
    // An argument that only some others make required is formatted in square brackets.
    let name = |text: &str| text.trim_matches(['<', '>', '[', ']']).to_owned();
    let find_argument = |text: &str| {
        command
            .get_arguments()
            .find(|argument| name(&argument.to_string()) == name(text))
    };
    let each = arguments.iter().map(|argument| {
        match argument
            .strip_prefix('<')
            .and_then(|placeholder| placeholder.strip_suffix('>'))
        {
            Some(group) if group.contains('|') => {
                format!("at least one of {}", group.replace('|', ", "))
            }
            _ => format!(
                "{argument}{}",
                find_argument(argument).map_or_else(String::new, explanation)
            ),
        }
    });
    each.collect::<Vec<_>>().join(" and ")
}

/// Returns the meaning of an argument in parentheses, with the command that lists the objects that it can name.
fn explanation(argument: &Arg) -> String {
    let Some(help) = argument.get_help().map(ToString::to_string) else {
        return String::new();
    };
    let value_name = argument
        .get_value_names()
        .and_then(|names| names.first())
        .map(clap::builder::Str::as_str);
    let commands = value_name
        .and_then(ObjectKind::of_argument)
        .map(|kind| format!("; {}", kind.commands()));
    format!(" ({help}{})", commands.unwrap_or_default())
}

fn any_of(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [words @ .., last] => format!("{} or {last}", words.join(", ")),
    }
}

fn first_line(text: &str) -> String {
    text.lines()
        .next()
        .unwrap_or_default()
        .trim_start_matches("error: ")
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn sentence(line: &[&str]) -> String {
        let arguments: Vec<OsString> = std::iter::once(&"voight")
            .chain(line)
            .map(OsString::from)
            .collect();
        usage_failure(&Cli::try_parse_from(&arguments).unwrap_err(), &arguments).message
    }

    #[test]
    fn word_of_another_program_suggests_the_command() {
        for (line, suggestion) in [
            (&["start"][..], "did you mean `voight serve`?"),
            (&["backup"], "did you mean `voight store backup`?"),
            (
                &["client", "rotate"],
                "did you mean `voight key rotate`, `voight signing-key rotate`, `voight webhook rotate` or `voight admin token rotate`?",
            ),
            (
                &["serve", "--port", "80"],
                "use --listen <ADDR> (Address of the public API",
            ),
            (
                &["serve", "--database", "x"],
                "use --store <URL> (Store URL",
            ),
            (&["client", "crate"], "did you mean credit or create?"),
        ] {
            let sentence = sentence(line);
            assert!(sentence.contains(suggestion), "{sentence}");
        }
        assert!(!sentence(&["usage", "--port", "80"]).contains("--listen"));
    }

    #[test]
    fn missing_argument_is_explained_with_an_example() {
        let budget = sentence(&["client", "budget", "acme"]);
        assert!(
            budget.contains("<AMOUNT> (Budget for each period, for example 200.00)"),
            "{budget}"
        );
        let key = sentence(&["key", "create"]);
        assert!(
            key.contains("--client <CLIENT> (") && key.contains("`voight client list`"),
            "{key}"
        );
    }

    #[test]
    fn a_group_of_required_arguments_is_listed() {
        let sentence = sentence(&["context", "set", "spring.01k0ab3cdefghjkmnpqrstvwxy"]);
        assert!(
            sentence.starts_with("`voight context set` needs at least one of --origins"),
            "{sentence}"
        );
        assert!(
            sentence.contains("--mode <MODE>, ") && !sentence.contains('|'),
            "{sentence}"
        );
    }

    #[test]
    fn the_password_of_a_url_is_not_repeated() {
        let sentence = sentence(&[
            "store",
            "info",
            "postgres://voight:secret@db.example:x/voight",
        ]);
        assert!(
            sentence.contains("[URL]") && !sentence.contains("secret"),
            "{sentence}"
        );
    }

    #[test]
    fn json_flag_applies_only_before_a_double_dash() {
        let asks =
            |line: &[&str]| asks_for_json(&line.iter().map(OsString::from).collect::<Vec<_>>());
        assert!(
            asks(&["voight", "client", "--json"]) && !asks(&["voight", "client", "--", "--json"])
        );
    }
}
