//! All SQL statements, one file for each port.
//!
//! A lint reads them and the migrations, and rejects SQL that some databases with the protocol of PostgreSQL lack.

pub(crate) mod admin;
pub(crate) mod admin_tokens;
pub(crate) mod billing;
pub(crate) mod check;
pub(crate) mod check_counts;
pub(crate) mod citus;
pub(crate) mod dump;
pub(crate) mod endpoints;
pub(crate) mod erasure;
pub(crate) mod events;
pub(crate) mod evidence;
pub(crate) mod labels;
pub(crate) mod leader_lease;
pub(crate) mod links;
pub(crate) mod lookup;
pub(crate) mod registry;
pub(crate) mod schema;
pub(crate) mod session;
pub(crate) mod snapshots;
pub(crate) mod tables;
pub(crate) mod users;

#[cfg(test)]
mod lint;

/// Defines named statements, and a list of them all for the lint.
macro_rules! statements {
    ($($(#[$meta:meta])* $name:ident = $text:literal;)*) => {
        $($(#[$meta])* pub(crate) const $name: &str = $text;)*

        #[cfg(test)]
        pub(crate) const ALL: &[(&str, &str)] = &[$((stringify!($name), $text)),*];
    };
}
use statements;
