//! Output of commands: data on standard output, messages on standard error.
//!
//! Write errors are ignored, because a reader that closes the pipe (`| head`) is not a failure. Streams report all others.

mod table;

pub(crate) use table::{Table, day, list, minute, optional, printable, second, word, yes_no};

use crate::exit::CommandError;
use rustix::termios::tcgetwinsize;
use serde::Serialize;
use serde_json::json;
use std::fmt::Display;
use std::io::{self, ErrorKind, IsTerminal, Write};

/// Printer for the requested output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Output {
    /// Text for people.
    Text,
    /// JSON for programs.
    Json,
}

impl Output {
    /// Returns the printer that the flag `--json` selects.
    pub(crate) const fn from_json_flag(json: bool) -> Self {
        if json { Self::Json } else { Self::Text }
    }

    /// Returns `true` if the output is JSON.
    pub(crate) const fn is_json(self) -> bool {
        matches!(self, Self::Json)
    }

    /// Prints data: as JSON, or formatted by `text`.
    pub(crate) fn data<T: Serialize, D: Display>(
        self,
        value: &T,
        text: impl FnOnce(&T) -> D,
    ) -> Result<(), CommandError> {
        self.render(value, text)
            .map(|text_line| line(io::stdout(), text_line))
    }

    /// Prints data to standard error, for a command that writes other data to standard output.
    pub(crate) fn data_to_stderr<T: Serialize, D: Display>(
        self,
        value: &T,
        text: impl FnOnce(&T) -> D,
    ) -> Result<(), CommandError> {
        self.render(value, text)
            .map(|text_line| line(io::stderr(), text_line))
    }

    fn render<T: Serialize, D: Display>(
        self,
        value: &T,
        text: impl FnOnce(&T) -> D,
    ) -> Result<String, CommandError> {
        if !self.is_json() {
            return Ok(text(value).to_string().trim_end().to_owned());
        }
        serde_json::to_string_pretty(value).map_err(|error| {
            CommandError::internal(format!("the answer cannot be written as JSON: {error}"))
        })
    }

    /// Prints a line of a stream without end. Returns `false` if the reader has closed the output.
    pub(crate) fn stream_line(text: impl Display) -> Result<bool, CommandError> {
        let mut out = io::stdout().lock();
        match writeln!(out, "{text}").and_then(|()| out.flush()) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(CommandError::internal(format!(
                "the output cannot be written ({error}), so it lacks events; free space, and run the command again"
            ))),
        }
    }

    /// Prints bytes unchanged.
    pub(crate) fn raw(bytes: &[u8]) {
        let mut out = io::stdout().lock();
        let _ = out.write_all(bytes).and_then(|()| out.flush());
    }

    /// Prints a note to standard error; omitted with JSON.
    pub(crate) fn note(self, text: impl Display) {
        if !self.is_json() {
            line(io::stderr(), text);
        }
    }

    /// Prints the failure of a command, as JSON if that was requested.
    pub(crate) fn failure(self, failure: &CommandError) {
        if self.is_json() {
            let error =
                json!({ "error": { "exit": failure.exit as u8, "message": failure.message } });
            line(io::stderr(), error);
        } else {
            line(io::stderr(), format_args!("voight: {failure}"));
        }
    }
}

fn line(mut to: impl Write, text: impl Display) {
    let _ = writeln!(to, "{text}").and_then(|()| to.flush());
}

/// Returns the width of the terminal of standard output, in columns; `None` if the output is not a terminal.
fn terminal_columns() -> Option<u16> {
    let stdout = io::stdout();
    if !stdout.is_terminal() {
        return None;
    }
    tcgetwinsize(&stdout)
        .ok()
        .map(|size| size.ws_col)
        .filter(|columns| *columns > 0)
}

/// Returns `true` if standard error may be coloured.
///
/// Required are a terminal, and a `NO_COLOR` that is unset or empty (<https://no-color.org>).
pub(crate) fn colour_on_stderr() -> bool {
    let has_no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !has_no_color && io::stderr().is_terminal()
}
