//! Command line of the binary: output, exit codes, and rejected commands without side effects.

mod admin_guide;
mod admin_socket;
mod admin_tokens;
mod audit;
mod clock;
mod configuration;
mod doctor;
mod export;
mod irreversible;
mod keys;
mod lists;
mod no_store;
mod output;
mod pepper;
mod price_book;
pub(crate) mod rejection;
mod start_failures;
mod store;
mod usage;
mod users;
mod wrong_inputs;
