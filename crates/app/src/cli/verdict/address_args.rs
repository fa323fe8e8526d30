//! Address arguments of the `verdict` commands.

use crate::admin_client::Path;
use crate::cli::reference::ContextRef;
use clap::Args;
use voight_domain::EoaAddress;

/// Address in a context.
#[derive(Debug, Args)]
pub(in crate::cli) struct AddressArgs {
    /// Context id, a unique prefix of it, or client/title
    #[arg(long, value_name = "CONTEXT")]
    context: ContextRef,
    /// Ethereum address, 0x and 40 hexadecimal digits
    address: EoaAddress,
}

impl AddressArgs {
    pub(super) fn path(&self) -> Path {
        Path::from_segments(["contexts", self.context.as_str(), "verdicts", &self.address.to_string()])
    }

    pub(super) fn override_path(&self) -> Path {
        Path::from_segments(["contexts", self.context.as_str(), "verdicts", &self.address.to_string(), "override"])
    }
}
