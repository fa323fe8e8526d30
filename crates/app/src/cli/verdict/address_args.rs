//! Address arguments of the `verdict` commands.

use crate::cli::reference::ContextRef;
use clap::Args;
use voight_api::route::{Call, Route};
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
    /// Creates a request of a route whose path parameters are a context and an address.
    pub(super) fn call<B, R>(&self, route: &Route<B, R>) -> Call<B, R> {
        route.call([self.context.as_str(), &self.address.to_string()])
    }
}
