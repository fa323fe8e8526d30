//! Replacement of the stores in a build without the feature `server`, which opens none.

use super::{BackupSummary, StoreDescription};
use crate::exit::CommandError;
use std::fmt;
use std::io::Write;
use std::str::FromStr;

/// URL of a store; this build accepts none.
#[derive(Debug, Clone)]
pub(crate) enum StoreUrl {}

impl FromStr for StoreUrl {
    type Err = &'static str;

    fn from_str(_: &str) -> Result<Self, Self::Err> {
        Err(
            "this build of voight opens no store: omit the URL, so that the command uses a running server",
        )
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

pub(crate) fn describe(url: &StoreUrl) -> Result<StoreDescription, CommandError> {
    match *url {}
}

pub(crate) fn dump(url: &StoreUrl, _: &mut impl Write) -> Result<BackupSummary, CommandError> {
    match *url {}
}
