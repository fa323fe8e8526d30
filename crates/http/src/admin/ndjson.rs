//! Responses with one JSON value per line.

use crate::error::ApiError;
use serde::Serialize;
use std::io::{self, Write};
use voight_api::ErrorId;

/// Writes a line. Writing fails only if the reader has disconnected, so the error is not reported.
pub(super) fn write_line(out: &mut dyn Write, value: &impl Serialize) -> Result<(), ApiError> {
    let write_result = serde_json::to_writer(&mut *out, value).map_err(io::Error::from);
    write_result
        .and_then(|()| out.write_all(b"\n"))
        .map_err(|_| ErrorId::Internal.into())
}
