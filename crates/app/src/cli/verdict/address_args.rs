//! Address arguments of the `verdict` commands.

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
    /// Returns the calls' path parameters: context and address.
    pub(super) fn parameters(&self) -> [String; 2] {
        [self.context.as_str().to_owned(), self.address.to_string()]
    }
}
