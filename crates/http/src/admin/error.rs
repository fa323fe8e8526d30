//! What an operator is told when something cannot be done.

use crate::error::ApiError;
use crate::error_table::ErrorId;
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

/// What the store has refused: an operator may know why.
pub(crate) fn from_store_error(error: StoreError) -> ApiError {
    match error {
        StoreError::Conflict(why) => ApiError::with_message(ErrorId::Conflict, why),
        error => error.into(),
    }
}

/// A 404 that names what there is none of.
pub(super) fn not_found(what: &str) -> ApiError {
    ApiError::with_message(ErrorId::NotFound, format!("There is no {what}."))
}

/// The value of `member`; else a 400 that names the member and says what it should have been.
pub(super) fn parsed<T>(member: &str, text: &str) -> Result<T, ApiError>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    text.parse().map_err(|error| ApiError::invalid(format!("{member}: {error}.")))
}

/// The values of the list `member`; else a 400 that names the place in the list.
pub(super) fn parsed_list<T, C>(member: &str, texts: &[String]) -> Result<C, ApiError>
where
    T: std::str::FromStr<Err: std::fmt::Display>,
    C: FromIterator<T>,
{
    texts.iter().enumerate().map(|(place, text)| parsed(&format!("{member}[{place}]"), text)).collect()
}
