//! `cargo xtask fuzz`: fuzzes the parsers with `cargo fuzz` and libFuzzer on the stable toolchain.

#[path = "../../../tests/faults/src/duration.rs"]
mod duration;
mod engine;
mod result;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;

use self::duration::duration;
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
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
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
pub(crate) fn run(asked: &Fuzz) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    let targets = engine::targets(&workspace)?;
    let chosen = chosen(&asked.target, &targets)?;
    if asked.replay.is_some() && chosen.len() != 1 {
        bail!("--replay gives one input to one target; name the target instead of `all`");
    }
    setup::ensure_fuzz(&workspace)?;
    let engine = LibFuzzer::build(&workspace)?;
    let held = match (&asked.replay, chosen.as_slice()) {
        (Some(input), [target]) => engine.replay(target, input)?,
        _ => run_targets(asked, &engine, &chosen)?,
    };
    Ok(if held { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Fuzzes each target for the given time; returns `true` if none crashed.
fn run_targets(asked: &Fuzz, engine: &LibFuzzer, targets: &[String]) -> Result<bool> {
    // libFuzzer would choose a seed by itself; choosing it here makes it known before the run and part of the result.
    let seed = asked.seed.unwrap_or_else(|| fastrand::u32(1..));
    let mut runs = Vec::new();
    for target in targets {
        let run = engine.run_target(target, asked.time, seed)?;
        if !asked.json {
            console::line(&run);
        }
        runs.push(run);
    }
    if asked.json {
        console::line(runs.iter().map(FuzzRun::json).collect::<serde_json::Value>());
    }
    Ok(runs.iter().all(FuzzRun::held))
}

fn chosen(target: &str, targets: &[String]) -> Result<Vec<String>> {
    if target == "all" {
        return Ok(targets.to_vec());
    }
    if !targets.iter().any(|known| known == target) {
        bail!("there is no target `{target}`; take `all` or one of {}", targets.join(", "));
    }
    Ok(vec![target.to_owned()])
}

#[cfg(test)]
mod tests {
    use super::chosen;

    #[test]
    fn a_target_is_chosen_by_name_and_all_of_them_by_one_word() {
        let targets = ["address", "dump"].map(ToOwned::to_owned);
        assert_eq!(chosen("dump", &targets).unwrap(), ["dump"]);
        assert_eq!(chosen("all", &targets).unwrap(), targets);
        let refusal = chosen("adress", &targets).unwrap_err().to_string();
        assert!(refusal.contains("`adress`") && refusal.contains("address, dump"), "{refusal}");
    }
}
