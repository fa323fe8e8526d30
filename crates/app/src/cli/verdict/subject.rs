//! What a command on verdicts is about.

use crate::admin_client::Path;
use clap::Args;
use voight_domain::{ContextId, EoaAddress};

/// An address in a context.
#[derive(Debug, Args)]
pub(in crate::cli) struct Subject {
    /// The context
    #[arg(long, value_name = "CONTEXT_ID")]
    context: ContextId,
    /// The address: 0x and 40 hexadecimal digits
    address: EoaAddress,
}

impl Subject {
    pub(super) fn path(&self) -> Path {
        Path::of(["contexts", self.context.as_str(), "verdicts", &self.address.to_string()])
    }

    pub(super) fn override_path(&self) -> Path {
        Path::of(["contexts", self.context.as_str(), "verdicts", &self.address.to_string(), "override"])
    }
}
