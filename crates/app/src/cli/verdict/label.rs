//! `voight verdict label` and `labels`.

mod csv;

pub(crate) use csv::labels as read_labels;

use super::HumanOrBot;
use crate::cli::address_cell::join_first;
use crate::cli::invocation::Invocation;
use crate::cli::paging::Paging;
use crate::cli::reference::ContextRef;
use crate::exit::{CommandError, Exit};
use crate::output::{Table, day, word, yes_no};
use clap::Args;
use std::fs;
use std::path::{Path, PathBuf};
use voight_api::admin::{Label, NewLabel, NewLabels, routes};
use voight_domain::EoaAddress;

/// Label an address as human or bot from external knowledge. Labels do not change verdicts
#[derive(Debug, Args)]
pub(in crate::cli) struct LabelCommand {
    /// Context id, a unique prefix of it, or client/title
    #[arg(long, value_name = "CONTEXT")]
    context: ContextRef,
    /// Ethereum address, 0x and 40 hexadecimal digits
    #[arg(required_unless_present = "csv", requires = "label")]
    address: Option<EoaAddress>,
    /// Label of the address
    label: Option<HumanOrBot>,
    /// The visitor consents to the use of the recorded checks for training
    #[arg(long, conflicts_with = "csv")]
    consent: bool,
    /// Import labels from a CSV file with lines `address,label[,reason[,consent]]`, all or none
    #[arg(long, value_name = "FILE", conflicts_with = "address")]
    csv: Option<PathBuf>,
    /// Source of the knowledge, written to the audit log. It must not contain an address
    #[arg(long, value_name = "TEXT")]
    reason: String,
}

/// List the labels of a context
#[derive(Debug, Args)]
pub(in crate::cli) struct LabelsCommand {
    /// Context id, a unique prefix of it, or client/title
    #[arg(long, value_name = "CONTEXT")]
    context: ContextRef,
    /// Print CSV lines that `verdict label --csv` reads
    #[arg(long)]
    csv: bool,
    #[command(flatten)]
    paging: Paging,
}

impl LabelCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let labels = match (&self.csv, self.address, self.label) {
            (Some(file), ..) => {
                csv::labels(&read(file)?).map_err(|wrong| wrong_lines(file, &wrong))?
            }
            (None, Some(address), Some(label)) => {
                vec![NewLabel {
                    address: address.to_string(),
                    label: label.into(),
                    consent: self.consent,
                    reason: None,
                }]
            }
            _ => {
                return Err(CommandError::new(
                    Exit::Usage,
                    "say who uses the address: human or bot",
                ));
            }
        };
        let body = NewLabels {
            labels,
            reason: self.reason,
        };
        let labelling = invocation
            .session()?
            .client()
            .send(&routes::LABEL.call([self.context.as_str()]), &body)?;
        invocation.output.data(&labelling, |labelling| {
            format!("labelled  {}", labelling.labelled)
        })
    }
}

impl LabelsCommand {
    pub(super) fn run(&self, invocation: &Invocation) -> Result<(), CommandError> {
        let call = routes::LIST_LABELS.call([self.context.as_str()]);
        let labels = self
            .paging
            .read_pages(invocation.session()?.client(), &call)?;
        if self.csv && !invocation.output.is_json() {
            return invocation
                .output
                .data(&labels.entries, |labels| csv::lines(labels));
        }
        labels.print(invocation, table)
    }
}

fn table(labels: &[Label]) -> Table {
    let mut table =
        Table::new(["ADDRESS", "LABEL", "CONSENT", "GIVEN", "REASON"]).with_narrowed([4]);
    for Label {
        address,
        label,
        consent,
        reason,
        at,
    } in labels
    {
        table.row([
            address.as_str(),
            &word(label),
            yes_no(*consent),
            &day(at),
            reason,
        ]);
    }
    table
}

fn read(file: &Path) -> Result<String, CommandError> {
    fs::read_to_string(file).map_err(|error| {
        let sentence = format!(
            "{} cannot be read as UTF-8 text ({error}); name a CSV file with --csv",
            file.display()
        );
        CommandError::new(Exit::Usage, sentence)
    })
}

/// Returns the failure of a file with invalid lines; names the first ones.
fn wrong_lines(file: &Path, wrong: &[String]) -> CommandError {
    let messages = join_first(wrong);
    CommandError::new(
        Exit::Usage,
        format!("nothing was labelled: {}: {messages}", file.display()),
    )
}
