//! Session: one pass through the page.

mod bus;
mod curves;
pub mod os_input;
mod script;

use crate::family::{Driver, Family};
use crate::page::PageResult;
use crate::test_service::TestService;
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use voight_tests::screen::Screen;
use voight_tests::{chromium, person};

/// End of a session, as the visitor sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionEnd {
    /// The visitor received a receipt.
    Completed,
    /// The service rejected the evidence.
    Rejected,
    /// The driver or the page failed, for this reason.
    Broken(String),
}

/// Session before its verdict is queried.
#[derive(Debug, Clone)]
pub struct BotSession {
    /// End of the session.
    pub ended: SessionEnd,
    /// Results of public detectors in the page: `true` for a bot.
    pub detectors: HashMap<String, bool>,
    /// Processor time of the driver, if it reports it.
    pub cpu_seconds: Option<f64>,
}

/// Identity of a session.
#[derive(Debug, Clone)]
pub struct SessionIdentity {
    /// Context of the family.
    pub context: String,
    /// Address of the wallet.
    pub address: String,
    /// Number of earlier sessions of the family.
    pub number: usize,
}

impl BotSession {
    fn from_end(ended: SessionEnd) -> Self {
        Self {
            ended,
            detectors: HashMap::new(),
            cpu_seconds: None,
        }
    }
}

impl From<PageResult> for BotSession {
    fn from(ending: PageResult) -> Self {
        let session_end = match (ending.claimed, ending.code.as_str()) {
            (true, _) => SessionEnd::Completed,
            (false, "check_failed") => SessionEnd::Rejected,
            (false, "") => {
                SessionEnd::Broken("the button was clicked without a receipt".to_owned())
            }
            (false, code) => SessionEnd::Broken(format!("the component reported {code}")),
        };
        Self {
            ended: session_end,
            detectors: ending.detectors,
            cpu_seconds: None,
        }
    }
}

/// Returns the requirement of this family that this machine does not meet, if any.
pub fn missing(family: &Family) -> Option<String> {
    let programs = [
        "/usr/bin/Xvfb",
        "/usr/bin/openbox",
        "/usr/bin/xdotool",
        chromium::PROGRAM,
    ];
    if let Some(program) = programs
        .into_iter()
        .find(|program| !PathBuf::from(program).exists())
    {
        return Some(format!(
            "{program} is missing; `cargo xtask test --only setup` installs it"
        ));
    }
    match &family.driver {
        Driver::Script(script) => script::missing(script),
        Driver::SystemInput(input) if input.needs_recordings() && person::corpus().is_none() => {
            Some(
                "the recordings of people are missing; set VOIGHT_CORPUS to their directory"
                    .to_owned(),
            )
        }
        Driver::SystemInput(input) => input.missing(),
    }
}

/// Runs a session. A panic of the driver breaks its own session only.
pub fn run(family: &Family, service: &TestService, visitor: &SessionIdentity) -> BotSession {
    let run_driver = || match &family.driver {
        Driver::Script(script) => script::run(script, service, visitor),
        Driver::SystemInput(input) => {
            let screen = Screen::open();
            let visit = service.site.visit(&visitor.context, &visitor.address);
            os_input::run_input(*input, &visit, &screen, visitor.number).into()
        }
    };
    catch_unwind(AssertUnwindSafe(run_driver)).unwrap_or_else(|panic| {
        let result = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string));
        BotSession::from_end(SessionEnd::Broken(
            result.unwrap_or_else(|| "the driver panicked".to_owned()),
        ))
    })
}
