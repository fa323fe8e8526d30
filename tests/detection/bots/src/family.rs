//! Family of sessions.

use crate::drive::os_input::InputMethod;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// Kind of a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FamilyKind {
    /// Browser that is driven by an automation protocol.
    Automation,
    /// Document object model without a browser.
    Emulator,
    /// Requests without a document.
    Http,
    /// Recorded evidence that is posted again.
    Replay,
    /// Evidence that is forged with knowledge of the source code.
    Forger,
    /// Plain browser under system-level input, by a program that imitates a person.
    OsInput,
    /// Plain browser under system-level input as a person with this device or aid; none may be flagged.
    Population,
}

impl FamilyKind {
    /// Returns the stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Automation => "automation",
            Self::Emulator => "emulator",
            Self::Http => "http",
            Self::Replay => "replay",
            Self::Forger => "forger",
            Self::OsInput => "os_input",
            Self::Population => "population",
        }
    }
}

impl Display for FamilyKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Program that uses the page.
#[derive(Debug, Clone, Copy)]
pub struct Script {
    /// File in `families/`.
    pub file: &'static str,
    /// Variant of the program; empty if it has only one.
    pub variant: &'static str,
    /// `true` if its browser is shown on a screen.
    pub headed: bool,
    /// Required libraries: npm packages or Python modules, by the language of the file.
    pub requirements: &'static [&'static str],
}

/// Driver of the page.
#[derive(Debug, Clone, Copy)]
pub enum Driver {
    /// Separate program.
    Script(Script),
    /// System-level input into a browser without any automation protocol.
    SystemInput(InputMethod),
}

/// Sessions of one driver and variant.
#[derive(Debug, Clone, Copy)]
pub struct Family {
    /// Stable name.
    pub name: &'static str,
    /// Kind of the family.
    pub kind: FamilyKind,
    /// Description in one line.
    pub about: &'static str,
    /// Driver of the page.
    pub driver: Driver,
}
