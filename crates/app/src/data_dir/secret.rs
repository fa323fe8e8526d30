//! Pepper and admin token: read from the environment or their file, or created.

use super::rollback::CreatedFiles;
use super::unwritable;
use crate::exit::CommandError;
use crate::os::OsEntropy;
use std::fmt;
use std::fs;
use std::io;
use std::path::Path;
use voight_api::AdminTokenSecret;
use voight_domain::secrets::{Pepper, PepperError};
use zeroize::Zeroizing;

const PEPPER_VARIABLE: &str = "VOIGHT_PEPPER";
const TOKEN_VARIABLE: &str = "VOIGHT_ADMIN_TOKEN";

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
    let wrong =
        |place: &str, error| CommandError::configuration(format!("{place} is wrong: {error}"));
    if let Some(text) = variable(PEPPER_VARIABLE) {
        return text
            .parse()
            .map(Some)
            .map_err(|error: PepperError| wrong(PEPPER_VARIABLE, error));
    }
    let text = read(path)?;
    text.map(|text| {
        text.parse()
            .map_err(|error| wrong(&path.display().to_string(), error))
    })
    .transpose()
}

/// Returns the pepper of the environment or of the file, or creates a new one.
pub(super) fn pepper(path: &Path, first_run: &mut CreatedFiles) -> Result<Pepper, CommandError> {
    if let Some(pepper) = known_pepper(path)? {
        return Ok(pepper);
    }
    let pepper = Pepper::from_bytes(OsEntropy.bytes());
    first_run
        .create_file(path, &(pepper.to_hex() + "\n"))
        .map_err(|error| unwritable(path, &error))?;
    Ok(pepper)
}

/// Returns the admin token of the environment or of the file.
pub(super) fn known_token(path: &Path) -> Result<Option<AdminTokenSecret>, CommandError> {
    match token_of_environment()? {
        Some(token) => Ok(Some(token)),
        None => token_of_file(path),
    }
}

/// Returns the admin token, or creates a new one in the file.
///
/// The token of the environment takes precedence over that of the file, unless it is a named token.
pub(super) fn admin_token(
    path: &Path,
    first_run: &mut CreatedFiles,
) -> Result<AdminTokenSecret, CommandError> {
    if let Some(token) = token_of_environment()?.filter(|token| token.named_id().is_none()) {
        return Ok(token);
    }
    if let Some(token) = token_of_file(path)? {
        return Ok(token);
    }
    let token = AdminTokenSecret::from_bytes(&OsEntropy.bytes());
    first_run
        .create_file(path, &format!("{}\n", token.expose()))
        .map_err(|error| unwritable(path, &error))?;
    Ok(token)
}

fn token_of_environment() -> Result<Option<AdminTokenSecret>, CommandError> {
    variable(TOKEN_VARIABLE)
        .map(|text| parse_token(&text, TOKEN_VARIABLE))
        .transpose()
}

fn token_of_file(path: &Path) -> Result<Option<AdminTokenSecret>, CommandError> {
    read(path)?
        .map(|text| parse_token(&text, path.display()))
        .transpose()
}

fn parse_token(text: &str, place: impl fmt::Display) -> Result<AdminTokenSecret, CommandError> {
    let token = AdminTokenSecret::parse(text.trim());
    token.map_err(|error| CommandError::configuration(format!("{place} is wrong: {error}")))
}

fn variable(name: &str) -> Option<Zeroizing<String>> {
    std::env::var(name)
        .ok()
        .filter(|text| !text.is_empty())
        .map(Zeroizing::new)
}

fn read(path: &Path) -> Result<Option<Zeroizing<String>>, CommandError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(Zeroizing::new(text))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let sentence = format!(
                "{} cannot be read: {error}; run as the user that owns it",
                path.display()
            );
            Err(CommandError::configuration(sentence))
        }
    }
}
