//! Use cases with the in-memory store: no runtime, and a clock that the test moves.

mod backups;
mod check_counts;
mod checks;
mod event_tail;
mod fixture;
mod ledgers;
mod ownership;
mod registry;
mod signing_keys;
mod users;
mod webhooks;
