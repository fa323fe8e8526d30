//! Private PostgreSQL servers from Debian's packages. No other server of the machine is touched.

mod cluster;
mod programs;
mod shared;

pub use cluster::Cluster;
pub use shared::Postgres;
