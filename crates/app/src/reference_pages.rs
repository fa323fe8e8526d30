//! Reference pages that are generated from the error table, the exit codes and the definition of the command line.

mod cli;
mod errors;

/// Advice to a developer whose change affects a page.
const REMEDY: &str =
    "look at the change, then run VOIGHT_UPDATE=1 cargo test -p voight --lib reference";
