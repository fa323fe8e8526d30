//! `voight man`.

use super::Cli;
use crate::exit::CommandError;
use crate::output::Output;
use clap::{Args, CommandFactory};
use clap_mangen::Man as Page;
use std::path::PathBuf;

/// Print the manual page.
#[derive(Debug, Args)]
pub(super) struct Man {
    /// Write a page for every command into this directory instead
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    pub(super) fn run(self) -> Result<(), CommandError> {
        let failed = |error: std::io::Error| CommandError::internal(format!("the manual cannot be written: {error}"));
        if let Some(dir) = self.out {
            let written = std::fs::create_dir_all(&dir).and_then(|()| clap_mangen::generate_to(Cli::command(), &dir));
            written.map_err(|error| {
                let dir = dir.display();
                CommandError::internal(format!(
                    "the manual cannot be written into {dir} ({error}); name a directory with --out"
                ))
            })
        } else {
            let mut page = Vec::new();
            Page::new(Cli::command()).render(&mut page).map_err(failed)?;
            Output::raw(&page);
            Ok(())
        }
    }
}
