//! `voight verdict calibration`.

use crate::cli::invocation::Invocation;
use crate::cli::reference::ContextRef;
use crate::exit::CommandError;
use crate::output::Table;
use clap::Args;
use voight_api::admin::{Calibration, Share, routes};

/// Compare verdicts with labels and report the accuracy and calibration
#[derive(Debug, Args)]
pub(in crate::cli) struct CalibrationCommand {
    /// Compare only this context: its id, a unique prefix of it, or client/title [default: all contexts]
    #[arg(long, value_name = "CONTEXT")]
    context: Option<ContextRef>,
}

impl CalibrationCommand {
    pub(super) fn run(&self, invocation: &Invocation) -> Result<(), CommandError> {
        let call = routes::CALIBRATION
            .call([])
            .with_query("context", self.context.as_ref().map(ContextRef::as_str));
        let calibration = invocation.session()?.client().call(&call)?;
        invocation.output.data(&calibration, table)
    }
}

fn table(calibration: &Calibration) -> Table {
    let Calibration {
        addresses,
        without_verdict,
        false_positives,
        false_negatives,
        overconfidence,
        ece,
        brier,
        log_loss,
    } = calibration;
    let mut table = Table::default();
    table.row(["labelled and checked", &addresses.to_string()]);
    table.row(["labelled, never checked", &without_verdict.to_string()]);
    table.row(["people taken for bots", &share(false_positives)]);
    table.row(["bots answered as human", &share(false_negatives)]);
    let error = |value: &Option<f64>, meaning: &str| match value {
        Some(value) => format!("{value:.4}  {meaning}"),
        None => "nothing to compare".to_owned(),
    };
    table.row([
        "scores overstate by",
        &error(overconfidence, "0 is none; the goal is 0.02 at most"),
    ]);
    table.row(["calibration error", &error(ece, "understating counts too")]);
    table.row([
        "Brier score",
        &error(brier, "0 is perfect, 0.25 a coin toss"),
    ]);
    table.row([
        "log loss",
        &error(log_loss, "0 is perfect, 0.69 a coin toss"),
    ]);
    table
}

fn share(
    Share {
        count,
        total,
        upper_bound_95,
    }: &Share,
) -> String {
    match upper_bound_95 {
        Some(bound) => format!(
            "{count} of {total}; with 95 % confidence at most {:.2} %",
            bound * 100.0
        ),
        None => "none is labelled".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_come_with_their_bound_and_nothing_with_words() {
        let empty_share = Share {
            count: 0,
            total: 0,
            upper_bound_95: None,
        };
        let calibration = Calibration {
            addresses: 300,
            without_verdict: 2,
            false_positives: Share {
                count: 0,
                total: 300,
                upper_bound_95: Some(0.009_94),
            },
            false_negatives: empty_share,
            overconfidence: Some(0.012_34),
            ece: None,
            brier: None,
            log_loss: None,
        };
        let text = table(&calibration).to_string();
        assert!(
            text.contains("0 of 300; with 95 % confidence at most 0.99 %"),
            "{text}"
        );
        assert!(
            text.contains("none is labelled") && text.contains("0.0123  0 is none"),
            "{text}"
        );
        assert!(text.contains("nothing to compare"), "{text}");
    }
}
