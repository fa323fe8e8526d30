//! Sidecar file: a copy of the store's identity.

use super::Identity;
use crate::migrate::FIRST_FORMAT;
use std::fmt::Display;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use ulid::Ulid;
use voight_domain::secrets::PepperCommitment;
use voight_domain::vocabulary::CheckId;
use voight_engine::OpenError;
use voight_engine::store::{replace_file, with_suffix};

/// Sidecar of a store. Its lines of `name = value` let an operator read which store a file belongs to.
#[derive(Debug, Clone)]
pub struct Sidecar {
    path: PathBuf,
}

impl Sidecar {
    /// Returns the sidecar `PATH.id` of the store at `PATH`.
    pub fn for_store(store: &Path) -> Self {
        Self {
            path: with_suffix(store, ".id"),
        }
    }

    /// Returns the path of the sidecar.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the identity; `None` if the file does not exist. A format above `newest_format` is an error.
    pub fn read(&self, newest_format: u32) -> Result<Option<Identity>, OpenError> {
        match fs::read_to_string(&self.path) {
            Ok(text) => self.parse(&text, newest_format).map(Some),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) if error.kind() == ErrorKind::InvalidData => {
                Err(self.damaged("it is not text"))
            }
            Err(error) => Err(OpenError::io(self.path.display(), error)),
        }
    }

    /// Writes the identity atomically: after a crash the file is complete or missing.
    pub fn write(&self, identity: &Identity) -> Result<(), OpenError> {
        replace_file(&self.path, &render(identity))
            .map_err(|error| OpenError::io(self.path.display(), error))
    }

    fn parse(&self, text: &str, newest_format: u32) -> Result<Identity, OpenError> {
        // The format is parsed first: no other line of a newer format can be interpreted.
        let format = self
            .member(text, "format")?
            .parse()
            .ok()
            .filter(|format| *format >= FIRST_FORMAT);
        let format = format.ok_or_else(|| self.damaged("format is a number from 1 on"))?;
        if format > newest_format {
            return Err(OpenError::Newer {
                place: self.path.display().to_string(),
                found: format,
                known: newest_format,
            });
        }
        let id: CheckId = self
            .member(text, "id")?
            .parse()
            .map_err(|error| self.damaged(error))?;
        let created_at = self
            .member(text, "created_at")?
            .parse()
            .map_err(|error| self.damaged(error))?;
        let pepper = data_encoding::HEXLOWER
            .decode(self.member(text, "pepper")?.as_bytes())
            .ok()
            .and_then(|bytes| bytes.try_into().ok())
            .ok_or_else(|| self.damaged("pepper is 32 hexadecimal digits"))?;
        Ok(Identity {
            id: Ulid::from_bytes(id.to_bytes()),
            format,
            created_at,
            pepper: PepperCommitment(pepper),
        })
    }

    fn member<'t>(&self, text: &'t str, name: &str) -> Result<&'t str, OpenError> {
        text.lines()
            .filter_map(|line| line.split_once(" = "))
            .find_map(|(line_name, value)| (line_name == name).then_some(value))
            .ok_or_else(|| self.damaged(format!("the line `{name} = …` is missing")))
    }

    fn damaged(&self, what: impl Display) -> OpenError {
        OpenError::damaged(self.path.display(), what)
    }
}

fn render(identity: &Identity) -> String {
    format!(
        "# Identity of the store next to this file. Keep the two together.\n\
         format = {}\nid = {}\ncreated_at = {}\npepper = {}\n",
        identity.format,
        identity.id(),
        identity.created_at,
        data_encoding::HEXLOWER.encode(&identity.pepper.0),
    )
}
