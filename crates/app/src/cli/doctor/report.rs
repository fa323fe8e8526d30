//! What was found.

use serde::Serialize;

/// Everything that was looked at.
#[derive(Debug, Default)]
pub(super) struct Report {
    pub(super) findings: Vec<Finding>,
}

/// One thing that was looked at.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// What.
    pub(super) check: &'static str,
    /// How it is.
    pub(super) status: Status,
    /// What was seen.
    pub(super) message: String,
    /// What to do; empty if there is nothing to do.
    pub(super) advice: String,
}

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Status {
    /// As it should be.
    Ok,
    /// It works, but should be looked at.
    Warn,
    /// It is wrong.
    Fail,
}

impl Status {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warn => "warn",
            Self::Fail => "fail",
        }
    }
}

impl Report {
    pub(super) fn ok(&mut self, check: &'static str, message: impl Into<String>) {
        self.add(check, Status::Ok, message.into(), "");
    }

    pub(super) fn warn(&mut self, check: &'static str, message: impl Into<String>, advice: &str) {
        self.add(check, Status::Warn, message.into(), advice);
    }

    pub(super) fn fail(&mut self, check: &'static str, message: impl Into<String>, advice: &str) {
        self.add(check, Status::Fail, message.into(), advice);
    }

    fn add(&mut self, check: &'static str, status: Status, message: String, advice: &str) {
        self.findings.push(Finding { check, status, message, advice: advice.to_owned() });
    }
}
