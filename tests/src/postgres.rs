//! Private PostgreSQL servers from Debian's packages. Other servers of the machine are not affected.

mod citus;
mod cluster;
mod far;
mod line;
mod pair;
mod pause;
mod programs;
mod shared;
mod trouble;

pub use citus::Citus;
pub use cluster::Cluster;
pub use line::FaultProxy;
pub use pair::PrimaryStandby;
pub use shared::Postgres;
pub use trouble::NetworkFault;
