//! Command line of the binary: output, exit codes, and rejected commands without side effects.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

#[path = "cli/admin_guide.rs"]
mod admin_guide;
#[path = "cli/admin_socket.rs"]
mod admin_socket;
#[path = "cli/admin_tokens.rs"]
mod admin_tokens;
#[path = "cli/audit.rs"]
mod audit;
#[path = "cli/clock.rs"]
mod clock;
#[path = "cli/configuration.rs"]
mod configuration;
#[path = "cli/doctor.rs"]
mod doctor;
#[path = "cli/export.rs"]
mod export;
#[path = "cli/irreversible.rs"]
mod irreversible;
#[path = "cli/keys.rs"]
mod keys;
#[path = "cli/lists.rs"]
mod lists;
#[path = "cli/no_store.rs"]
mod no_store;
#[path = "cli/output.rs"]
mod output;
#[path = "cli/pepper.rs"]
mod pepper;
#[path = "cli/price_book.rs"]
mod price_book;
#[path = "cli/refusal.rs"]
mod refusal;
#[path = "cli/start_failures.rs"]
mod start_failures;
#[path = "cli/store.rs"]
mod store;
#[path = "cli/usage.rs"]
mod usage;
#[path = "cli/wrong_inputs.rs"]
mod wrong_inputs;
