//! `voight store restore`.

use super::{BuildReport, target, verified_backup};
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::data_dir::DataDir;
use crate::exit::CommandError;
use crate::installation::store_url;
use crate::wiring;
use clap::Args;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use voight_domain::secrets::PepperCommitment;

/// Arguments of `voight store restore`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  install -D -m 600 /safe/pepper ./restored/pepper
  voight store restore /backup/voight.dump --data-dir ./restored
  voight store verify --data-dir ./restored")]
pub(in crate::cli) struct Restore {
    /// Backup file, written by `voight store backup`
    file: PathBuf,
}

impl Restore {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let config = invocation.load(Vec::new())?.config;
        let mut dir = DataDir::inspect(&config.store.data_dir)?;
        let url = store_url(&config, &dir)?;
        // The backup is verified completely before anything is written.
        let (file, backup) = verified_backup(&self.file)?;
        let has_pepper = has_pepper(&dir, backup.pepper, &self.file)?;
        dir.create()?;
        let progress = Progress::start(invocation.output, "restoring");
        let source = self.file.display().to_string();
        let summary = wiring::restore(&url, BufReader::new(file), &source, &mut |records| {
            progress.add(records);
        });
        let to = summary.map_err(|failure| target::explain(invocation, &url, failure))?;
        drop(progress);
        dir.commit(url.persisted_form(dir.path()).as_deref())?;
        BuildReport {
            store: url.to_string(),
            from: to.clone(),
            to,
            moment: None,
        }
        .print(invocation)?;
        invocation.output.note(next_steps(&dir, has_pepper));
        Ok(())
    }
}

/// Describes the steps that follow a restore.
fn next_steps(dir: &DataDir, has_pepper: bool) -> String {
    let verify = "Next: `voight store verify`, then `voight serve`.";
    if has_pepper {
        return verify.to_owned();
    }
    let pepper = dir.pepper_path();
    format!(
        "{verify} Before `voight serve`, put the pepper of this store into {}, or into VOIGHT_PEPPER.",
        pepper.display()
    )
}

/// Returns `true` if the data directory or the environment has the pepper of the backup's store.
///
/// Returns `false` if neither has a pepper. Another pepper is an error.
fn has_pepper(
    dir: &DataDir,
    of_backup: PepperCommitment,
    backup: &Path,
) -> Result<bool, CommandError> {
    match dir.known_pepper()? {
        Some(pepper) if pepper.commitment() != of_backup => {
            Err(CommandError::configuration(format!(
                "{} belongs to a store with another pepper than the one in {}: put the pepper of that store there or in VOIGHT_PEPPER, or name another --data-dir",
                backup.display(),
                dir.path().display()
            )))
        }
        pepper => Ok(pepper.is_some()),
    }
}
