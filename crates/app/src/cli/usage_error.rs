//! Usage errors in one sentence: the fault of the command line, and its correction.

use super::Cli;
use crate::exit::{CommandError, Exit};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};
use std::error::Error as _;
use std::ffi::OsString;

/// Converts a parser error to the failure of the command.
pub(crate) fn usage_failure(error: &clap::Error, arguments: &[OsString]) -> CommandError {
    let command = Cli::command();
    let (path, command) = named_command(&command, arguments);
    let sentence = Rejected(error).sentence(&path, command);
    CommandError::new(Exit::Usage, format!("{sentence}; see `{path} --help`"))
}

/// Returns `true` if the command line contains `--json`, even though it was rejected.
pub(crate) fn asks_for_json(arguments: &[OsString]) -> bool {
    arguments.iter().take_while(|argument| *argument != "--").any(|argument| argument == "--json")
}

/// Returns the command that the arguments name, with its full path.
fn named_command<'a>(root: &'a Command, arguments: &[OsString]) -> (String, &'a Command) {
    let (mut path, mut command) = ("voight".to_owned(), root);
    for argument in arguments.iter().skip(1).filter_map(|argument| argument.to_str()) {
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
    fn sentence(&self, path: &str, command: &Command) -> String {
        let argument = self.text(ContextKind::InvalidArg);
        match self.0.kind() {
            ErrorKind::InvalidValue if self.text(ContextKind::InvalidValue).is_empty() => {
                format!("{argument} needs a value")
            }
            ErrorKind::InvalidValue => {
                let (value, words) = (self.text(ContextKind::InvalidValue), self.texts(ContextKind::ValidValue));
                format!("{value:?} is not a value of {argument}: write {}", any_of(&words))
            }
            ErrorKind::ValueValidation => self.validation(&argument),
            ErrorKind::UnknownArgument => {
                format!("there is no argument {argument}{}", self.suggestion(ContextKind::SuggestedArg))
            }
            ErrorKind::InvalidSubcommand => {
                let word = self.text(ContextKind::InvalidSubcommand);
                let hint = match self.suggestion(ContextKind::SuggestedSubcommand) {
                    hint if hint.is_empty() => needs_a_command(path, command),
                    hint => hint,
                };
                format!("{word:?} is not a command of `{path}`{hint}")
            }
            ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
                format!("no command was given{}", needs_a_command(path, command))
            }
            ErrorKind::MissingRequiredArgument => {
                format!("`{path}` needs {}", missing(&self.texts(ContextKind::InvalidArg)))
            }
            ErrorKind::ArgumentConflict => {
                let prior = self.texts(ContextKind::PriorArg);
                let prior = if prior.is_empty() { "the other arguments".to_owned() } else { prior.join(", ") };
                format!("{argument} cannot be given together with {prior}")
            }
            ErrorKind::TooManyValues => {
                format!("{argument} takes no value here, but {:?} was given", self.text(ContextKind::InvalidValue))
            }
            ErrorKind::InvalidUtf8 => "an argument is not valid UTF-8".to_owned(),
            _ => first_line(&self.0.to_string()),
        }
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
        match self.texts(kind) {
            words if words.is_empty() => String::new(),
            words => format!("; did you mean {}?", any_of(&words)),
        }
    }

    fn text(&self, kind: ContextKind) -> String {
        self.texts(kind).into_iter().next().unwrap_or_default()
    }

    fn texts(&self, kind: ContextKind) -> Vec<String> {
        match self.0.get(kind) {
            Some(ContextValue::String(text)) => vec![text.clone()],
            Some(ContextValue::Strings(texts)) => texts.clone(),
            Some(ContextValue::StyledStr(text)) => vec![text.to_string()],
            Some(ContextValue::StyledStrs(texts)) => texts.iter().map(ToString::to_string).collect(),
            _ => Vec::new(),
        }
    }
}

fn needs_a_command(path: &str, command: &Command) -> String {
    let names = command.get_subcommands().filter(|sub| !sub.is_hide_set()).map(|sub| sub.get_name().to_owned());
    let names: Vec<_> = names.filter(|name| name != "help").collect();
    if names.is_empty() { String::new() } else { format!(": `{path}` has {}", names.join(", ")) }
}

/// Lists the missing required arguments; of a group, one is enough.
fn missing(arguments: &[String]) -> String {
    let each =
        arguments.iter().map(|argument| match argument.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')) {
            Some(group) if group.contains('|') => format!("at least one of {}", group.replace('|', ", ")),
            _ => argument.clone(),
        });
    each.collect::<Vec<_>>().join(" and ")
}

fn any_of(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [words @ .., last] => format!("{} or {last}", words.join(", ")),
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn sentence(line: &[&str]) -> String {
        let arguments: Vec<OsString> = std::iter::once(&"voight").chain(line).map(OsString::from).collect();
        usage_failure(&Cli::try_parse_from(&arguments).unwrap_err(), &arguments).message
    }

    #[test]
    fn a_group_of_required_arguments_is_listed() {
        let sentence = sentence(&["context", "set", "spring.01k0ab3cdefghjkmnpqrstvwxy"]);
        assert!(sentence.starts_with("`voight context set` needs at least one of --origins"), "{sentence}");
        assert!(sentence.contains("--mode <MODE>, ") && !sentence.contains('|'), "{sentence}");
    }

    #[test]
    fn the_password_of_a_url_is_not_repeated() {
        let sentence = sentence(&["store", "info", "postgres://voight:secret@db.example:x/voight"]);
        assert!(sentence.contains("[URL]") && !sentence.contains("secret"), "{sentence}");
    }

    #[test]
    fn json_flag_applies_only_before_a_double_dash() {
        let asks = |line: &[&str]| asks_for_json(&line.iter().map(OsString::from).collect::<Vec<_>>());
        assert!(asks(&["voight", "client", "--json"]) && !asks(&["voight", "client", "--", "--json"]));
    }
}
