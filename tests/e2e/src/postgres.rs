//! Private PostgreSQL servers from Debian's packages. Other servers of the machine are not affected.

mod citus;
mod cluster;
mod fault_proxy;
mod network_fault;
mod pause;
mod primary_standby;
mod programs;
mod shared;
mod upstream;

pub use citus::{Citus, CitusServers};
pub use cluster::Cluster;
pub use fault_proxy::FaultProxy;
pub use network_fault::NetworkFault;
pub use primary_standby::PrimaryStandby;
pub use shared::Postgres;
