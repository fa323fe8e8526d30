//! What a family is.

use crate::drive::hands::InputMethod;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// How sessions of a family are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FamilyKind {
    /// A browser that is driven by an automation protocol.
    Automation,
    /// A document object model without a browser.
    Emulator,
    /// Requests without a document.
    Http,
    /// Evidence that was recorded, and is posted again.
    Replay,
    /// Evidence that is made up by somebody who has read the source.
    Forger,
    /// A plain browser under input of the operating system, by a program that wants to pass for a person.
    OsInput,
    /// The same, standing in for a person with this device or aid; none may be flagged.
    Cohort,
}

impl FamilyKind {
    /// Its stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Automation => "automation",
            Self::Emulator => "emulator",
            Self::Http => "http",
            Self::Replay => "replay",
            Self::Forger => "forger",
            Self::OsInput => "os_input",
            Self::Cohort => "cohort",
        }
    }
}

impl Display for FamilyKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A program that goes through the page.
#[derive(Debug, Clone, Copy)]
pub struct Script {
    /// Its file in `families/`.
    pub file: &'static str,
    /// Which of its ways it takes; empty if it has one.
    pub variant: &'static str,
    /// Whether its browser is shown on a screen.
    pub headed: bool,
    /// The libraries it needs: packages of npm, or modules of Python, by the file's language.
    pub needs: &'static [&'static str],
}

/// What goes through the page.
#[derive(Debug, Clone, Copy)]
pub enum Driver {
    /// A program of its own.
    Script(Script),
    /// Input of the operating system into a browser without any automation protocol.
    Hand(InputMethod),
}

/// Sessions that are made in one way.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// Its stable name.
    pub name: &'static str,
    /// How its sessions are made, roughly.
    pub kind: FamilyKind,
    /// How exactly, in one line.
    pub about: &'static str,
    /// What goes through the page.
    pub driver: Driver,
}
