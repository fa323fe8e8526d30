//! What is measured: the service and its yardstick, as processes.

mod ledger;
mod lookups;
mod nginx;
mod service;
mod visitor;
mod yardstick;

pub(crate) use ledger::Ledger;
pub(crate) use lookups::Lookups;
pub(crate) use nginx::Nginx;
pub(crate) use service::Service;
pub(crate) use visitor::Visitor;
pub(crate) use yardstick::{STATIC, Yardstick};
