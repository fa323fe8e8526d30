//! Pepper and admin token: read from the environment or their file, or created.

use super::rollback::CreatedFiles;
use super::unwritable;
use crate::exit::CommandError;
use crate::os::OsEntropy;
use data_encoding::HEXLOWER;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use voight_domain::secrets::{Pepper, PepperError};
use zeroize::{ZeroizeOnDrop, Zeroizing};

const PEPPER_VARIABLE: &str = "VOIGHT_PEPPER";
const TOKEN_VARIABLE: &str = "VOIGHT_ADMIN_TOKEN";

/// Admin token, the secret with which operators' requests are authenticated.
#[derive(Clone, PartialEq, Eq, ZeroizeOnDrop)]
pub(crate) struct AdminToken(String);

/// Source of a pepper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PepperSource {
    /// Environment variable.
    Environment,
    /// File in the data directory.
    File,
    /// Environment variable, which takes precedence over an existing file.
    Both,
    /// No pepper exists.
    None,
}

/// Returns the source of the pepper.
pub(super) fn pepper_source(path: &Path) -> PepperSource {
    match (variable(PEPPER_VARIABLE).is_some(), path.exists()) {
        (true, true) => PepperSource::Both,
        (true, false) => PepperSource::Environment,
        (false, true) => PepperSource::File,
        (false, false) => PepperSource::None,
    }
}

/// Returns the pepper of the environment or of the file.
pub(super) fn known_pepper(path: &Path) -> Result<Option<Pepper>, CommandError> {
    let wrong = |place: &str, error| CommandError::configuration(format!("{place} is wrong: {error}"));
    if let Some(text) = variable(PEPPER_VARIABLE) {
        return text.parse().map(Some).map_err(|error: PepperError| wrong(PEPPER_VARIABLE, error));
    }
    let text = read(path)?;
    text.map(|text| text.parse().map_err(|error| wrong(&path.display().to_string(), error))).transpose()
}

/// Returns the pepper of the environment or of the file, or creates a new one.
pub(super) fn pepper(path: &Path, first_run: &mut CreatedFiles) -> Result<Pepper, CommandError> {
    if let Some(pepper) = known_pepper(path)? {
        return Ok(pepper);
    }
    let pepper = Pepper::from_bytes(OsEntropy.bytes());
    first_run.create_file(path, &(pepper.to_hex() + "\n")).map_err(|error| unwritable(path, &error))?;
    Ok(pepper)
}

impl AdminToken {
    /// Generates an unpredictable token.
    pub(crate) fn random() -> Self {
        Self(HEXLOWER.encode(&OsEntropy.bytes::<32>()))
    }

    /// Converts the token for the listener.
    pub(crate) fn for_listener(&self) -> voight_api::AdminToken {
        match voight_api::AdminToken::parse(&self.0) {
            Ok(token) => token,
            Err(_) => unreachable!("both sides have one rule, and this token has passed it"),
        }
    }

    /// Returns the token of the environment or of the file.
    pub(super) fn load(path: &Path) -> Result<Option<Self>, CommandError> {
        match Self::of_environment()? {
            Some(token) => Ok(Some(token)),
            None => Self::of_file(path),
        }
    }

    /// Returns `true` for a named token, which is stored in a store and not in a data directory.
    pub(crate) fn is_named(&self) -> bool {
        self.for_listener().named_id().is_some()
    }

    fn of_environment() -> Result<Option<Self>, CommandError> {
        variable(TOKEN_VARIABLE).map(|text| Self::parse(&text, TOKEN_VARIABLE)).transpose()
    }

    fn of_file(path: &Path) -> Result<Option<Self>, CommandError> {
        read(path)?.map(|text| Self::parse(&text, path.display())).transpose()
    }

    /// Returns the admin token, or creates a new one in the file.
    ///
    /// The token of the environment takes precedence over that of the file, unless it is a named token.
    pub(super) fn load_or_create(path: &Path, first_run: &mut CreatedFiles) -> Result<Self, CommandError> {
        if let Some(token) = Self::of_environment()?.filter(|token| !token.is_named()) {
            return Ok(token);
        }
        if let Some(token) = Self::of_file(path)? {
            return Ok(token);
        }
        let token = Self::random();
        first_run.create_file(path, &format!("{}\n", token.0)).map_err(|error| unwritable(path, &error))?;
        Ok(token)
    }

    fn parse(text: &str, place: impl fmt::Display) -> Result<Self, CommandError> {
        let text = text.trim();
        match voight_api::AdminToken::parse(text) {
            Ok(_) => Ok(Self(text.to_owned())),
            Err(error) => Err(CommandError::configuration(format!("{place} is wrong: {error}"))),
        }
    }
}

impl fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AdminToken(…)")
    }
}

fn variable(name: &str) -> Option<Zeroizing<String>> {
    std::env::var(name).ok().filter(|text| !text.is_empty()).map(Zeroizing::new)
}

fn read(path: &Path) -> Result<Option<Zeroizing<String>>, CommandError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(Zeroizing::new(text))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let sentence = format!("{} cannot be read: {error}; run as the user that owns it", path.display());
            Err(CommandError::configuration(sentence))
        }
    }
}
