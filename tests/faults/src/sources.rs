//! Age of results, compared with their sources.

use crate::harness::Backend;
use crate::result::ScenarioResult;
use anyhow::{Context, Result, ensure};
use std::process::Command;
use voight_tests::paths::repository;

/// Maximum age of a published result, in days before the last commit in its sources.
pub const DAYS: i64 = 14;
/// Seconds of a day.
const DAY: i64 = 86_400;

/// Returns the directories that determine the effect of a fault on this store.
fn dirs(backend: Backend) -> [String; 3] {
    [backend.as_str(), "embedded", "encoding"].map(|name| format!("crates/{name}/src"))
}

/// Returns `true` if the sources have a commit of a later day than the result; `false` without a history.
pub(crate) fn is_newer(result: &ScenarioResult) -> bool {
    days_behind(result).is_ok_and(|days| days > 0)
}

/// Returns the days between a result and the last commit in its sources; at most 0 if the result is newer.
///
/// # Errors
///
/// The history cannot be read.
pub fn days_behind(result: &ScenarioResult) -> Result<i64> {
    Ok((last_commit(&dirs(result.backend))? - seconds(&result.date)?).div_euclid(DAY))
}

/// Returns the time of the last commit in these directories, in seconds since 1970.
fn last_commit(dirs: &[String]) -> Result<i64> {
    git(&["log", "-1", "--format=%ct", "--"], dirs)?.parse().context("the history has no commit of the sources")
}

/// Returns midnight of a date such as `2026-11-21`, UTC, in seconds since 1970.
fn seconds(date: &str) -> Result<i64> {
    let output = Command::new("date").args(["-u", "+%s", "-d", date]).output().context("date does not start")?;
    ensure!(output.status.success(), "{date:?} is not a date");
    Ok(String::from_utf8_lossy(&output.stdout).trim().parse()?)
}

fn git(arguments: &[&str], paths: &[String]) -> Result<String> {
    let output = Command::new("git").arg("-C").arg(repository()).args(arguments).args(paths).output();
    let output = output.context("git does not start")?;
    ensure!(output.status.success(), "git: {}", String::from_utf8_lossy(&output.stderr).trim());
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{DAY, seconds};

    #[test]
    fn a_date_is_converted_to_its_midnight() {
        assert_eq!(seconds("1970-01-02").unwrap(), DAY);
        assert_eq!(seconds("2026-11-21").unwrap(), 1_795_219_200);
        assert_eq!(seconds("yesterday or so").unwrap_err().to_string(), "\"yesterday or so\" is not a date");
    }
}
