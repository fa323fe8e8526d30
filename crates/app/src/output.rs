//! What a command prints: data on standard output, messages on standard error.
//!
//! A reader that went away (`| head`) is no reason to fail, so errors of writing are dropped.

mod table;

pub(crate) use table::{Table, day, list, minute, optional, printable, word, yes_no};

use crate::exit::CommandError;
use serde::Serialize;
use serde_json::json;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};

/// Prints in the form that was asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    json: bool,
}

impl Output {
    /// JSON if `json`, else text for people.
    pub(crate) const fn new(json: bool) -> Self {
        Self { json }
    }

    /// Whether programs read what is printed.
    pub(crate) const fn is_json(self) -> bool {
        self.json
    }

    /// Prints data: as JSON, or as `text` makes of it.
    pub(crate) fn data<T: Serialize, D: Display>(
        self,
        value: &T,
        text: impl FnOnce(&T) -> D,
    ) -> Result<(), CommandError> {
        self.render(value, text).map(|rendered| line(io::stdout(), rendered))
    }

    /// The same on standard error, for a command whose standard output is something else.
    pub(crate) fn data_to_stderr<T: Serialize, D: Display>(
        self,
        value: &T,
        text: impl FnOnce(&T) -> D,
    ) -> Result<(), CommandError> {
        self.render(value, text).map(|rendered| line(io::stderr(), rendered))
    }

    fn render<T: Serialize, D: Display>(self, value: &T, text: impl FnOnce(&T) -> D) -> Result<String, CommandError> {
        if !self.json {
            return Ok(text(value).to_string().trim_end().to_owned());
        }
        serde_json::to_string_pretty(value)
            .map_err(|error| CommandError::internal(format!("the answer cannot be written as JSON: {error}")))
    }

    /// Prints bytes as they are.
    pub(crate) fn raw(bytes: &[u8]) {
        let mut out = io::stdout().lock();
        let _ = out.write_all(bytes).and_then(|()| out.flush());
    }

    /// Says something beside the data; not to programs.
    pub(crate) fn note(self, text: impl Display) {
        if !self.json {
            line(io::stderr(), text);
        }
    }

    /// Says why the command failed; as JSON if that was asked for.
    pub(crate) fn failure(self, failure: &CommandError) {
        if self.json {
            let error = json!({ "error": { "exit": failure.exit as u8, "message": failure.message } });
            line(io::stderr(), error);
        } else {
            line(io::stderr(), format_args!("voight: {failure}"));
        }
    }
}

fn line(mut to: impl Write, text: impl Display) {
    let _ = writeln!(to, "{text}").and_then(|()| to.flush());
}

/// Whether standard error may be coloured: it is a terminal and `NO_COLOR` is unset or empty (<https://no-color.org>).
pub(crate) fn colour_on_stderr() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && io::stderr().is_terminal()
}
