//! Use cases with the in-memory store: no runtime, and a clock that the test moves.

mod binding;
mod checks;
mod fixture;
mod ledgers;
mod registry;
mod signing_keys;
