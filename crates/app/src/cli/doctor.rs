//! `voight doctor`: looks for what is wrong with an installation, and changes nothing but whether the clock is believed.

mod accept_time;
mod local;
mod report;
mod service;

use super::invocation::Invocation;
use crate::config::Loaded;
use crate::data_dir::DataDir;
use crate::exit::Failure;
use crate::installation::store_url;
use crate::output::{Table, printable};
use crate::session::Session;
use crate::system::SystemClock;
use clap::Args;
use report::{Finding, Report, Status};
use serde::Serialize;
use std::fmt::Write as _;
use voight_domain::ports::Clock as _;
use voight_http::admin::dto::AssetInfo;

#[derive(Serialize)]
struct Examined {
    ok: bool,
    findings: Vec<Finding>,
    assets: Vec<AssetInfo>,
}

/// Look for what is wrong with this installation.
#[derive(Debug, Args)]
pub(super) struct Doctor {
    /// Believe the wall clock from now on, though the service doubts it; kept in the audit log
    #[arg(long)]
    accept_time: bool,
    /// Why the clock is right
    #[arg(long, value_name = "TEXT", requires = "accept_time")]
    reason: Option<String>,
}

impl Doctor {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), Failure> {
        if self.accept_time { accept_time::run(invocation, self.reason) } else { examine(invocation) }
    }
}

/// Looks for what is wrong with this installation.
fn examine(invocation: &Invocation) -> Result<(), Failure> {
    let Loaded { config, .. } = invocation.load(Vec::new())?;
    let mut report = Report::default();
    report.ok("configuration", "it is sound");
    local::proxies(&config, &mut report);
    local::public_url(&config, &mut report);
    local::price_book(&config, &mut report);
    let mut assets = AssetInfo::of_component();
    match installation(invocation, &config, &mut report) {
        Ok(Some(session)) => {
            local::listeners(&config, session.is_direct(), &mut report);
            if session.is_direct() {
                local::open_files(&config, &mut report);
            }
            assets = service::examine(&session, &config, &mut report)?;
        }
        Ok(None) => {
            local::clock(SystemClock.now(), &mut report);
            local::listeners(&config, true, &mut report);
            local::open_files(&config, &mut report);
        }
        Err(failure) => {
            local::clock(SystemClock.now(), &mut report);
            report.fail("store", failure.sentence, "");
        }
    }
    conclude(invocation, report.findings, assets)
}

/// A way to the service, or to its store; `None` if there is no installation yet, which is not for this command to create.
fn installation(
    invocation: &Invocation,
    config: &crate::config::Config,
    report: &mut Report,
) -> Result<Option<Session>, Failure> {
    if invocation.globals.server.is_none() {
        let dir = DataDir::inspect(&config.store.data_dir)?;
        let store = store_url(config, &dir)?;
        if !dir.is_used()? {
            let what = format!("there is no installation in {} yet", dir.path().display());
            report.warn("data directory", what, "start `voight serve`, or name another one with --data-dir");
            return Ok(None);
        }
        local::data_dir(&dir, report);
        local::pepper(&dir, report);
        report.ok("store", format!("it is {store}"));
    }
    invocation.session().map(Some)
}

fn conclude(invocation: &Invocation, findings: Vec<Finding>, assets: Vec<AssetInfo>) -> Result<(), Failure> {
    let failed = findings.iter().filter(|finding| finding.status == Status::Fail).count();
    let examined = Examined { ok: failed == 0, findings, assets };
    invocation.output.data(&examined, text)?;
    match failed {
        0 => Ok(()),
        1 => Err(Failure::internal("one thing is wrong; it is named above")),
        many => Err(Failure::internal(format!("{many} things are wrong; they are named above"))),
    }
}

fn text(examined: &Examined) -> String {
    let mut text = String::new();
    for Finding { check, status, message, advice } in &examined.findings {
        let advice = if advice.is_empty() { String::new() } else { format!("; {advice}") };
        let _ = writeln!(text, "{:<4}  {check}: {}{advice}", status.word(), printable(message));
    }
    let mut table = Table::new(["FILE", "INTEGRITY"]);
    for asset in &examined.assets {
        table.row([&asset.path, &asset.integrity]);
    }
    let _ = write!(text, "\nFiles of the component, for the attribute `integrity`:\n{table}");
    text
}

#[cfg(test)]
mod clock_tests;
