//! Command line.

use clap::Parser;
use std::path::PathBuf;

/// Run bots and synthetic people against the service's real window, and count flags and rejections
#[derive(Debug, Parser)]
#[command(name = "cargo xtask detect bots", bin_name = "cargo xtask detect bots")]
pub(crate) struct CorpusCli {
    /// Families or kinds of families [default: all]
    #[arg(value_name = "FAMILY")]
    pub(crate) families: Vec<String>,
    /// List the families and exit
    #[arg(long)]
    pub(crate) list: bool,
    /// Number of sessions of each family
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) sessions: u16,
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Print the operator's explanation of each bot that was not stopped and of each synthetic person who was
    #[arg(long)]
    pub(crate) explain: bool,
    /// Result file; results of other families remain in it
    #[arg(
        long,
        value_name = "FILE",
        default_value = "target/bot-corpus/bot-corpus.json"
    )]
    pub(crate) out: PathBuf,
}

#[cfg(test)]
mod tests {
    use super::CorpusCli;
    use clap::{CommandFactory, Parser};

    #[test]
    fn the_definition_is_consistent() {
        CorpusCli::command().debug_assert();
    }

    #[test]
    fn zero_sessions_are_rejected() {
        assert!(CorpusCli::try_parse_from(["bots", "--sessions", "0"]).is_err());
        let cli =
            CorpusCli::try_parse_from(["bots", "jsdom", "--sessions", "3", "--json"]).unwrap();
        assert_eq!(
            (cli.families, cli.sessions, cli.json),
            (vec!["jsdom".to_owned()], 3, true)
        );
    }
}
