//! `voight cluster`.

use super::address_cell::{is_header, join_first, parse_cell};
use super::invocation::Invocation;
use super::reference::ContextRef;
use crate::exit::{CommandError, Exit};
use clap::Subcommand;
use std::fs;
use std::path::PathBuf;
use voight_api::admin::{ClusterImport, ClusterMember, routes};

/// Commands of `voight cluster`.
#[derive(Debug, Subcommand)]
pub(super) enum ClusterCommand {
    /// Import clusters from a file with lines `address,cluster`
    ///
    /// From its next completed check on, an address is ranked among the addresses of its cluster, and the context's limit of
    /// addresses per device applies to the cluster, too. Only keyed digests are stored. Importing an address again moves it to
    /// the new cluster.
    Import {
        /// CSV file with lines `address,cluster`
        file: PathBuf,
        /// Context id, a unique prefix of it, or client/title
        #[arg(long, value_name = "CONTEXT")]
        context: ContextRef,
    },
}

impl ClusterCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let Self::Import { file, context } = self;
        let text = fs::read_to_string(&file).map_err(|error| {
            let message = format!(
                "{} cannot be read as UTF-8 text ({error}); name a CSV file",
                file.display()
            );
            CommandError::new(Exit::Usage, message)
        })?;
        let members = members(&text).map_err(|wrong| {
            let messages = join_first(&wrong);
            CommandError::new(
                Exit::Usage,
                format!("{}: {messages}; nothing was imported", file.display()),
            )
        })?;
        let session = invocation.session()?;
        let call = routes::IMPORT_CLUSTERS.call([context.as_str()]);
        let import_report = session.client().send(&call, &ClusterImport { members })?;
        invocation.output.data(&import_report, |report| {
            format!(
                "{} addresses in {} clusters",
                report.addresses, report.clusters
            )
        })
    }
}

/// Parses the members in a file, or returns a message for each invalid line. A heading, empty lines and a byte order mark are
/// skipped.
pub(crate) fn members(text: &str) -> Result<Vec<ClusterMember>, Vec<String>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut members = Vec::new();
    let mut wrong = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let is_heading = number == 1 && is_header("address", line.split(','));
        if !is_heading && !line.trim().is_empty() {
            match member(line) {
                Ok(member) => members.push(member),
                Err(why) => wrong.push(format!("line {number}: {why}")),
            }
        }
    }
    if members.is_empty() && wrong.is_empty() {
        wrong.push("there is no address in it; write lines like address,cluster".to_owned());
    }
    if wrong.is_empty() {
        Ok(members)
    } else {
        Err(wrong)
    }
}

fn member(line: &str) -> Result<ClusterMember, String> {
    let fields: Vec<_> = line.split(',').map(str::trim).collect();
    let [address, cluster] = fields[..] else {
        return Err(format!(
            "{} fields; write two, address,cluster",
            fields.len()
        ));
    };
    let address = parse_cell(address)?;
    if cluster.is_empty() {
        return Err("the name of the cluster is missing".to_owned());
    }
    Ok(ClusterMember {
        address: address.to_string(),
        cluster: cluster.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "0x1111111111111111111111111111111111111111";

    #[test]
    fn lines_are_read_with_or_without_a_heading() {
        let cluster_members =
            members(&format!("\u{feff}address,cluster\r\n{ONE}, farm 1\r\n\n")).unwrap();
        assert_eq!(
            cluster_members,
            [ClusterMember {
                address: ONE.into(),
                cluster: "farm 1".into()
            }]
        );
    }

    #[test]
    fn every_wrong_line_is_named_by_its_number() {
        let wrong = members(&format!("{ONE},a\n0x12,a\n{ONE}\n{ONE},\n{ONE},a,b\n")).unwrap_err();
        let numbers: Vec<_> = wrong
            .iter()
            .map(|line| line.split(':').next().unwrap())
            .collect();
        assert_eq!(numbers, ["line 2", "line 3", "line 4", "line 5"]);
        assert!(members("").unwrap_err()[0].contains("no address"));
    }
}
