//! `cargo xtask fuzz`: fuzzes the parsers with `cargo fuzz` and libFuzzer on the stable toolchain.

mod engine;
mod result;
mod sources;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use voight_support::parse_duration;

use self::engine::LibFuzzer;
use self::result::FuzzRun;
use crate::workspace::Workspace;
use crate::{console, setup};

/// Arguments of `cargo xtask fuzz`.
#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    /// Fuzz target (each has a corpus in `tests/fuzz/corpus`), or `all`
    target: String,
    /// Duration for each target, for example 90s, 10m or 2h
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = parse_duration)]
    time: Duration,
    /// Seed of the generated inputs [default: random]
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
    /// Run the target once with the input in this file instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["time", "seed", "json"])]
    replay: Option<PathBuf>,
}

/// Runs the command; fails if a target crashed.
pub(crate) fn run(arguments: &Fuzz) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    let targets = engine::targets(&workspace)?;
    let selected_targets = selected(&arguments.target, &targets)?;
    if arguments.replay.is_some() && selected_targets.len() != 1 {
        bail!("--replay requires one target; name the target instead of `all`");
    }
    setup::ensure_fuzz(&workspace)?;
    let engine = LibFuzzer::build(&workspace)?;
    let is_success = match (&arguments.replay, selected_targets.as_slice()) {
        (Some(input), [target]) => engine.replay(target, input)?,
        _ => run_targets(arguments, &engine, &selected_targets)?,
    };
    Ok(if is_success {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Fuzzes each target for the given time; returns `true` if none crashed.
fn run_targets(arguments: &Fuzz, engine: &LibFuzzer, targets: &[String]) -> Result<bool> {
    // The seed is chosen here instead of by libFuzzer, so that it is known before the run and part of the result.
    let seed = arguments.seed.unwrap_or_else(|| fastrand::u32(1..));
    let mut runs = Vec::new();
    for target in targets {
        let fuzz_run = engine.run_target(target, arguments.time, seed)?;
        if !arguments.json {
            console::line(&fuzz_run);
        }
        runs.push(fuzz_run);
    }
    if arguments.json {
        console::line(
            runs.iter()
                .map(FuzzRun::json)
                .collect::<serde_json::Value>(),
        );
    }
    Ok(runs.iter().all(FuzzRun::passed))
}

fn selected(target: &str, targets: &[String]) -> Result<Vec<String>> {
    if target == "all" {
        return Ok(targets.to_vec());
    }
    if !targets.iter().any(|candidate| candidate == target) {
        bail!(
            "unknown target `{target}`; the targets are `all`, {}",
            targets.join(", ")
        );
    }
    Ok(vec![target.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::selected;

    #[test]
    fn targets_are_selected_by_name() {
        let targets = ["address", "dump"].map(ToOwned::to_owned);
        assert_eq!(selected("dump", &targets).unwrap(), ["dump"]);
        assert_eq!(selected("all", &targets).unwrap(), targets);
        let rejection = selected("adress", &targets).unwrap_err().to_string();
        assert!(
            rejection.contains("`adress`") && rejection.contains("address, dump"),
            "{rejection}"
        );
    }
}
