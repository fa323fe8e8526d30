//! Lifecycle of a server: serving, background jobs, and graceful shutdown.

mod backup_age;
mod check_counts;
mod clock_monitor;
mod deliveries;
mod delivery_logs;
mod expiring_keys;
mod jobs;
mod key_uses;
mod local;
mod run;
mod scrub;
mod service_manager;
mod shutdown;
mod signing_key_watch;
mod snapshot_jobs;

pub(crate) use local::LocalAdmin;
pub(crate) use run::{AdminListeners, block_on, serve};
pub(crate) use shutdown::wait_for_signal;

#[cfg(test)]
#[path = "lifecycle/tests.rs"]
mod tests;
