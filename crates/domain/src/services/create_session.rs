//! Sessions: the backend of a platform vouches for an address.

use super::contexts::usable_context;
use super::{CheckError, CheckService};
use crate::check::{SESSION_TTL, VouchedSession};
use crate::registry::KeyWithClient;
use crate::vocabulary::{ContextId, EoaAddress, Timestamp};

/// Request to create a vouched session.
#[derive(Debug, Clone)]
pub struct CreateVouchedSession {
    /// The context.
    pub context: ContextId,
    /// The address of the visitor whom the platform knows.
    pub address: EoaAddress,
}

impl CheckService {
    /// Creates a session token for one address in a context that the caller's key may use.
    ///
    /// Nothing is written. Any other context is rejected exactly as a context that does not exist.
    pub async fn create_session(
        &self,
        holder: &KeyWithClient,
        request: CreateVouchedSession,
    ) -> Result<(String, Timestamp), CheckError> {
        usable_context(self.store.as_ref(), holder, &request.context)
            .await?
            .ok_or(CheckError::ContextUnknown)?;
        let expires_at = self.now().saturating_add(SESSION_TTL);
        let session = VouchedSession {
            context: request.context,
            address: request.address,
            expires_at,
        };
        Ok((session.to_token(&self.secrets), expires_at))
    }
}
