//! Private PostgreSQL servers from Debian's packages. No other server of the machine is touched.

mod cluster;
mod pair;
mod pause;
mod programs;
mod shared;

pub use cluster::Cluster;
pub use pair::Pair;
pub use shared::Postgres;
