//! `voight store compact`.

use super::target;
use crate::cli::invocation::Invocation;
use crate::cli::progress::Progress;
use crate::exit::CommandError;
use crate::wiring::{self, StoreUrl};
use clap::Args;
use serde::Serialize;

/// Arguments of `voight store compact`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Compact {
    /// Store without a running server [default: the store of the data directory]
    #[arg(value_name = "URL")]
    url: Option<StoreUrl>,
}

#[derive(Debug, Serialize)]
struct Compacted {
    store: String,
    bytes_before: u64,
    bytes_after: u64,
}

impl Compact {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let url = target::resolve(invocation, self.url)?;
        let progress = Progress::start(invocation.output, "compacting");
        let sizes = wiring::compact(&url, &mut |records| progress.add(records));
        let (bytes_before, bytes_after) =
            sizes.map_err(|failure| target::explain(invocation, &url, failure))?;
        drop(progress);
        let compaction = Compacted {
            store: url.to_string(),
            bytes_before,
            bytes_after,
        };
        invocation.output.data(&compaction, |report| {
            format!(
                "{}: {} bytes before, {} after",
                report.store, report.bytes_before, report.bytes_after
            )
        })
    }
}
