//! Child processes whose output is passed through live.

use std::ffi::OsStr;
use std::io::{self, IsTerminal, Read, Write};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::console;

/// Runs a command with its output passed through; returns `true` if it succeeded.
pub(crate) fn succeeds(command: &mut Command) -> Result<bool> {
    console::line(format_args!("$ {}", command_line(command)));
    if console::is_standard_output_reserved() {
        command.stdout(io::stderr());
    }
    let status = command.status().with_context(|| cannot_start(command))?;
    Ok(status.success())
}

/// Runs a command with its output passed through; returns an error if it failed.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    if !succeeds(command)? {
        bail!("`{}` failed; its output is above", command_line(command));
    }
    Ok(())
}

/// Returns the standard output of a command, if it can be started and succeeds. Prints nothing.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Returns the standard output of a command that must succeed. Prints nothing.
pub(crate) fn required_output(command: &mut Command) -> Result<String> {
    output(command)
        .with_context(|| format!("`{}` failed; run it to see why", command_line(command)))
}

/// Output stream of a program.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

/// Runs a command with its output passed through, and keeps a copy of one stream.
///
/// Returns `true` if it succeeded.
pub(crate) fn run_captured(stream: Stream, command: &mut Command) -> Result<(bool, String)> {
    console::line(format_args!("$ {}", command_line(command)));
    run_captured_quietly(stream, command)
}

/// Runs a command like [`run_captured`] without printing the command line, because standard output is for data.
pub(crate) fn run_captured_quietly(
    stream: Stream,
    command: &mut Command,
) -> Result<(bool, String)> {
    match stream {
        Stream::Stdout => command.stdout(Stdio::piped()),
        Stream::Stderr => command.stderr(Stdio::piped()),
    };
    let mut child = command.spawn().with_context(|| cannot_start(command))?;
    let output = copy_through(stream, &mut child)
        .with_context(|| format!("cannot read the output of `{}`", command_line(command)))?;
    let status = child
        .wait()
        .with_context(|| format!("cannot read the output of `{}`", command_line(command)))?;
    Ok((
        status.success(),
        String::from_utf8_lossy(&output).into_owned(),
    ))
}

fn copy_through(stream: Stream, child: &mut Child) -> io::Result<Vec<u8>> {
    match (stream, child.stdout.take(), child.stderr.take()) {
        (Stream::Stdout, Some(from), _) => tee(from, io::stdout()),
        (Stream::Stderr, _, Some(from)) => tee(from, io::stderr()),
        _ => Ok(Vec::new()),
    }
}

/// Copies all bytes as they arrive, and returns them.
fn tee(mut from: impl Read, mut to: impl Write) -> io::Result<Vec<u8>> {
    let mut output = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let count = match from.read(&mut buffer) {
            Ok(0) => return Ok(output),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let (chunk, _) = buffer.split_at(count);
        // As in `console::line`, a reader that closed the pipe does not stop the run.
        let _ = to.write_all(chunk);
        let _ = to.flush();
        output.extend_from_slice(chunk);
    }
}

/// Returns the colour setting for programs that do not detect a terminal behind a pipe.
pub(crate) fn colour() -> &'static str {
    let is_terminal = io::stdout().is_terminal() && io::stderr().is_terminal();
    if is_terminal { "always" } else { "never" }
}

/// Formats the command line for a shell; words with special characters are quoted.
pub(crate) fn command_line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &OsStr) -> String {
    let word = word.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn cannot_start(command: &Command) -> String {
    let program = command.get_program().to_string_lossy();
    format!("cannot start `{program}`; `cargo xtask test --only setup` installs what is missing")
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::{Stream, command_line, output, run_captured, tee};

    #[test]
    fn a_command_line_is_quoted_for_a_shell() {
        let mut command = Command::new("cargo");
        command.args([
            "nextest",
            "run",
            "-E",
            "binary_id(=a) | binary_id(=b)",
            "it's",
            "",
        ]);
        assert_eq!(
            command_line(&command),
            r"cargo nextest run -E 'binary_id(=a) | binary_id(=b)' 'it'\''s' ''"
        );
    }

    #[test]
    fn tee_passes_all_bytes_on_and_returns_them() {
        let bytes: Vec<u8> = (0..20_000_u32).map(|n| n.to_le_bytes()[0]).collect();
        let mut written_bytes = Vec::new();
        let output = tee(bytes.as_slice(), &mut written_bytes).unwrap();
        assert_eq!(output, bytes);
        assert_eq!(written_bytes, bytes);
    }

    #[test]
    fn a_stream_and_the_status_are_returned() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo text >&2; exit 4"]);
        assert_eq!(
            run_captured(Stream::Stderr, &mut command).unwrap(),
            (false, "text\n".to_owned())
        );
    }

    #[test]
    fn a_missing_program_has_no_output() {
        assert_eq!(output(&mut Command::new("there-is-no-such-program")), None);
        assert_eq!(output(&mut Command::new("false")), None);
        assert_eq!(
            output(Command::new("echo").arg("x")).as_deref(),
            Some("x\n")
        );
    }
}
