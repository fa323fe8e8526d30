//! Errors of the admin API.

use crate::error::ApiError;
use voight_api::ErrorId;
use voight_domain::ports::StoreError;
use voight_domain::services::ServiceError;

impl From<ServiceError> for ApiError {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::NotFound(what) => not_found(&what),
            ServiceError::Invalid(why) => Self::invalid(why),
            ServiceError::Store(error) => from_store_error(error),
        }
    }
}

/// Converts a store error. Operators get the reason of a conflict.
pub(crate) fn from_store_error(error: StoreError) -> ApiError {
    match error {
        StoreError::Conflict(why) => ApiError::with_message(ErrorId::Conflict, why),
        error => error.into(),
    }
}

/// Returns a 404 that names the missing object.
pub(super) fn not_found(what: &str) -> ApiError {
    ApiError::with_message(ErrorId::NotFound, format!("There is no {what}."))
}

/// Parses the value of `member`, or returns a 400 that names the member and the expected format.
pub(super) fn parsed<T>(member: &str, text: &str) -> Result<T, ApiError>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    text.parse()
        .map_err(|error| ApiError::invalid(format!("{member}: {error}.")))
}

/// Parses the values of the list `member`, or returns a 400 that names the position in the list.
pub(super) fn parsed_list<T, C>(member: &str, texts: &[String]) -> Result<C, ApiError>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
    C: FromIterator<T>,
{
    texts
        .iter()
        .enumerate()
        .map(|(index, text)| parsed(&format!("{member}[{index}]"), text))
        .collect()
}
