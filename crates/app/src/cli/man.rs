//! `voight man`.

use super::Cli;
use crate::exit::CommandError;
use crate::output::Output;
use crate::write_failure::write_failure;
use clap::{Args, CommandFactory};
use clap_mangen::Man as Page;
use std::path::PathBuf;

/// Arguments of `voight man`.
#[derive(Debug, Args)]
pub(super) struct Man {
    /// Write one page per command into this directory instead
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Man {
    pub(super) fn run(self) -> Result<(), CommandError> {
        let write_error = |error: std::io::Error| {
            CommandError::internal(format!("the manual cannot be written: {error}"))
        };
        if let Some(dir) = self.out {
            let result = std::fs::create_dir_all(&dir)
                .and_then(|()| clap_mangen::generate_to(Cli::command(), &dir));
            result.map_err(|error| write_failure(&dir, &error, "name another directory with --out"))
        } else {
            let mut page = Vec::new();
            Page::new(Cli::command())
                .render(&mut page)
                .map_err(write_error)?;
            Output::raw(&page);
            Ok(())
        }
    }
}
