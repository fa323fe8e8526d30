//! `cargo xtask fuzz`: looks for inputs that break a parser, by `cargo fuzz` and libFuzzer on the stable toolchain.

#[path = "../../torture/src/duration.rs"]
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
use crate::{say, setup};

/// What to look for, and for how long.
#[derive(Debug, Args)]
pub(crate) struct Fuzz {
    /// A target (each has a corpus in `crates/fuzz/corpus`), or `all`.
    target: String,
    /// How long to look, for each target: 90s, 10m, 2h.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    time: Duration,
    /// The number that the inputs are drawn by; another one each time unless given.
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// Print the results as JSON.
    #[arg(long)]
    json: bool,
    /// Give the target this input instead, once.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["time", "seed", "json"])]
    replay: Option<PathBuf>,
}

/// Does what was asked for; a failure if a target crashed.
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

/// Looks at each target for the time asked for; whether all of them held.
fn run_targets(asked: &Fuzz, engine: &LibFuzzer, targets: &[String]) -> Result<bool> {
    // libFuzzer would draw one by itself, but here it is known before the run and stands in its result.
    let seed = asked.seed.unwrap_or_else(|| fastrand::u32(1..));
    let mut runs = Vec::new();
    for target in targets {
        let run = engine.run_target(target, asked.time, seed)?;
        if !asked.json {
            say::line(&run);
        }
        runs.push(run);
    }
    if asked.json {
        say::line(runs.iter().map(FuzzRun::json).collect::<serde_json::Value>());
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
