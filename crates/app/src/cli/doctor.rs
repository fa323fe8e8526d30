//! `voight doctor`: diagnoses an installation. It changes nothing except that `--acknowledge-clock` acknowledges the clock.

mod acknowledge_clock;
mod listeners;
mod local;
mod report;
mod service;

use super::invocation::Invocation;
use crate::data_dir::DataDir;
use crate::exit::CommandError;
use crate::local_store;
use crate::os::SystemClock;
use crate::output::{Table, printable};
use crate::session::AdminSession;
use clap::Args;
use listeners::RunningServer;
use report::{DoctorFinding, DoctorFindings, Summary};
use serde::Serialize;
use std::fmt::Write as _;
use voight_api::admin::AssetInfo;
use voight_domain::ports::Clock as _;

/// Report as it is printed.
#[derive(Serialize)]
struct DoctorReport {
    ok: bool,
    summary: Summary,
    findings: Vec<DoctorFinding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assets: Option<Vec<AssetInfo>>,
}

/// Diagnose this installation.
#[derive(Debug, Args)]
pub(super) struct Doctor {
    /// Accept the current system time although the clock guard rejected it. Written to the audit log
    #[arg(long)]
    acknowledge_clock: bool,
    /// Also print the subresource-integrity value of each module of the component
    #[arg(long, conflicts_with = "acknowledge_clock")]
    assets: bool,
    /// Reason why the clock is right, written to the audit log
    #[arg(long, value_name = "TEXT", requires = "acknowledge_clock")]
    reason: Option<String>,
}

impl Doctor {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        if self.acknowledge_clock {
            acknowledge_clock::run(invocation, self.reason)
        } else {
            let (report, assets) = run_diagnostics(invocation)?;
            print_report(invocation, report, self.assets.then_some(assets))
        }
    }
}

/// Runs all diagnostics and lists the modules of the component.
fn run_diagnostics(
    invocation: &Invocation,
) -> Result<(DoctorFindings, Vec<AssetInfo>), CommandError> {
    let loaded_config = invocation.load(Vec::new())?;
    let mut report = DoctorFindings::default();
    local::configuration(&loaded_config, &mut report);
    let config = loaded_config.config;
    local::proxies(&config, &mut report);
    local::public_url(&config, &mut report);
    local::price_book(&config, &mut report);
    let mut assets = voight_browser::component_assets()
        .map(|asset| AssetInfo::new(asset.path, asset.integrity))
        .collect();
    match installation(invocation, &config, &mut report) {
        Ok(Some(session)) => {
            if session.is_embedded() {
                local::open_files(&config, &mut report);
            }
            let info = service::examine(&session, &config, &mut report)?;
            if invocation.globals.server.is_none() {
                let running = (!session.is_embedded()).then(|| RunningServer::new(&info));
                listeners::examine(&config, running, &mut report);
            }
            assets = info.assets;
        }
        Ok(None) => {
            local::clock(SystemClock.now(), &mut report);
            listeners::examine(&config, None, &mut report);
            local::open_files(&config, &mut report);
        }
        Err(failure) => {
            local::clock(SystemClock.now(), &mut report);
            report.fail("store", failure.message, "");
        }
    }
    Ok((report, assets))
}

/// Opens a session; `None` if no installation exists, because this command must not create one.
fn installation(
    invocation: &Invocation,
    config: &crate::config::Config,
    report: &mut DoctorFindings,
) -> Result<Option<AdminSession>, CommandError> {
    if invocation.globals.server.is_none() {
        let dir = DataDir::inspect(&config.store.data_dir)?;
        let store = local_store::url(config)?;
        if !dir.is_used()? {
            let message = format!("there is no installation in {} yet", dir.path().display());
            report.warn(
                "data directory",
                message,
                "start `voight serve`, or name another one with --data-dir",
            );
            return Ok(None);
        }
        local::data_dir(&dir, report);
        local::pepper(&dir, report);
        report.ok("store", format!("it is {store}"));
    }
    invocation.session().map(Some)
}

/// Prints the report; fails with the summary as its message if a check failed.
fn print_report(
    invocation: &Invocation,
    report: DoctorFindings,
    assets: Option<Vec<AssetInfo>>,
) -> Result<(), CommandError> {
    let summary = report.summary();
    let doctor_report = DoctorReport {
        ok: summary.failed == 0,
        summary,
        findings: report.into_findings(),
        assets,
    };
    invocation.output.data(&doctor_report, text)?;
    if doctor_report.ok {
        Ok(())
    } else {
        Err(CommandError::internal(doctor_report.summary.to_string()))
    }
}

/// Formats the findings, the asset hashes if requested, and the summary unless it is the error message.
fn text(report: &DoctorReport) -> String {
    let mut text = String::new();
    for DoctorFinding {
        check,
        status,
        message,
        advice,
    } in &report.findings
    {
        let advice = if advice.is_empty() {
            String::new()
        } else {
            format!("; {advice}")
        };
        let _ = writeln!(
            text,
            "{:<4}  {check}: {}{advice}",
            status.word(),
            printable(message)
        );
    }
    if let Some(assets) = &report.assets {
        let mut table = Table::new(["FILE", "INTEGRITY"]);
        for asset in assets {
            table.row([&asset.path, &asset.integrity]);
        }
        let _ = write!(
            text,
            "\nFiles of the component, for the attribute `integrity`:\n{table}\n"
        );
    }
    if report.ok {
        let _ = writeln!(text, "{}", report.summary);
    }
    text
}

#[cfg(test)]
mod clock_tests;
