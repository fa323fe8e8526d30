//! Program of a family.

use super::{BotSession, SessionEnd, SessionIdentity};
use crate::family::Script;
use crate::installed;
use crate::test_service::TestService;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use voight_tests::screen::Screen;
use voight_tests::visitor::Page;
use voight_tests::{chromium, process};

/// Timeout of a program.
const SCRIPT_TIMEOUT: Duration = Duration::from_secs(75);
/// Polling interval of the program.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Timeout for the page's result after the program ended.
const PAGE_TIMEOUT: Duration = Duration::from_secs(1);

/// Last output line of a program that does not use the page.
#[derive(Debug, Deserialize)]
struct ScriptResult {
    ended: String,
    #[serde(default)]
    cpu_seconds: Option<f64>,
}

/// Returns the requirement of a program that this machine does not meet, if any.
pub(super) fn missing(script: &Script) -> Option<String> {
    let library = installed::missing(script.file, script.requirements)
        .map(|name| format!("{name} is not installed"));
    let programs = [
        (script.file.starts_with("selenium"), installed::CHROMEDRIVER),
        (script.variant == "firefox", installed::FIREFOX),
    ];
    let absent = programs
        .into_iter()
        .find(|(is_required, program)| *is_required && !Path::new(program).exists());
    library.or_else(|| absent.map(|(_, program)| format!("{program} is missing")))
}

/// Runs a session with a program.
pub(super) fn run(script: &Script, service: &TestService, visitor: &SessionIdentity) -> BotSession {
    let screen = script.headed.then(Screen::open);
    let visit = service.site.visit(&visitor.context, &visitor.address);
    let (timeout, fault) = match start(script, service, visitor, &visit.address(), screen.as_ref())
    {
        Ok(Some(output)) => return output.into(),
        Ok(None) => (PAGE_TIMEOUT, "the program ended before the page".to_owned()),
        Err(error) => (Duration::ZERO, format!("{error:#}")),
    };
    // The page's result counts, even if the program failed afterwards.
    visit.ending_within(timeout).map_or_else(
        || BotSession::from_end(SessionEnd::Broken(fault)),
        BotSession::from,
    )
}

impl From<ScriptResult> for BotSession {
    fn from(output: ScriptResult) -> Self {
        let session_end = match output.ended.as_str() {
            "completed" => SessionEnd::Completed,
            "rejected" => SessionEnd::Rejected,
            other => SessionEnd::Broken(other.to_owned()),
        };
        Self {
            cpu_seconds: output.cpu_seconds,
            ..Self::from_end(session_end)
        }
    }
}

/// Runs the program until it ends or times out, and returns its result, if it prints one.
fn start(
    script: &Script,
    service: &TestService,
    visitor: &SessionIdentity,
    page: &str,
    screen: Option<&Screen>,
) -> Result<Option<ScriptResult>> {
    let scratch = tempfile::tempdir()?;
    let families = installed(&scratch)?;
    let mut command = interpreter(script.file)?;
    let out = scratch.path().join("stdout");
    let err = scratch.path().join("stderr");
    command
        .arg(families.join(script.file))
        .args([page, script.variant])
        .current_dir(scratch.path())
        .env("PATH", installed::search_path())
        .env("TMPDIR", scratch.path())
        .env("HOME", scratch.path())
        .env("CHROMIUM", chromium::PROGRAM)
        .env("CHROMEDRIVER", installed::CHROMEDRIVER)
        .env("FIREFOX", installed::FIREFOX)
        .env("SERVICE", service.service())
        .env("CONTEXT", &visitor.context)
        .env("ADDRESS", &visitor.address)
        .env_remove("DISPLAY")
        .stdin(Stdio::null())
        .stdout(fs::File::create(&out)?)
        .stderr(fs::File::create(&err)?)
        // A separate process group, so that the browser is killed with it.
        .process_group(0);
    if let Some(screen) = screen {
        command.env("DISPLAY", screen.display()).env("HEADED", "1");
    }
    let mut child = command
        .spawn()
        .with_context(|| format!("{} does not start", script.file))?;
    let status = wait(&mut child);
    end(&mut child);
    let output = fs::read_to_string(&out)?;
    match status {
        None => bail!(
            "no end after {} s: {}",
            SCRIPT_TIMEOUT.as_secs(),
            tail(&err)
        ),
        Some(status) if !status.success() => bail!("{}", tail(&err)),
        Some(_) => Ok(output
            .lines()
            .next_back()
            .and_then(|line| serde_json::from_str(line).ok())),
    }
}

/// Copies the programs next to their libraries, because Node.js searches the parent directories of a program.
fn installed(scratch: &TempDir) -> Result<std::path::PathBuf> {
    let dir = scratch.path().join("families");
    fs::create_dir(&dir)?;
    for file in fs::read_dir(installed::families_dir())?.flatten() {
        fs::copy(file.path(), dir.join(file.file_name()))?;
    }
    std::os::unix::fs::symlink(
        installed::node_modules(),
        scratch.path().join("node_modules"),
    )?;
    Ok(dir)
}

fn interpreter(file: &str) -> Result<Command> {
    let mut command = match file.rsplit_once('.') {
        Some((_, "mjs")) => Command::new("node"),
        Some((_, "py")) => Command::new(installed::python()),
        Some((_, "sh")) => Command::new("bash"),
        _ => bail!("no interpreter for {file}"),
    };
    if file == "emulator.mjs" {
        command.args(["--experimental-vm-modules", "--no-warnings"]);
    }
    Ok(command)
}

fn wait(child: &mut Child) -> Option<ExitStatus> {
    let attempts = SCRIPT_TIMEOUT.as_millis() / POLL_INTERVAL.as_millis();
    (0..attempts).find_map(|_| {
        let exit_status = child.try_wait().ok().flatten();
        if exit_status.is_none() {
            std::thread::sleep(POLL_INTERVAL);
        }
        exit_status
    })
}

/// Kills the remaining processes of the program and its browser.
fn end(child: &mut Child) {
    process::kill_group(child);
}

/// Returns the last output of a program that failed.
fn tail(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines: Vec<_> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let output = lines
        .iter()
        .rfind(|line| line.contains("rror"))
        .or(lines.last());
    output.map_or_else(
        || "the program printed nothing".to_owned(),
        |line| line.chars().take(200).collect(),
    )
}
