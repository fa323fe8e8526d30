//! Opening a check: everything goes into the challenge, nothing is written.

use super::{CheckError, CheckService};
use crate::binding::{SignRequest, is_sampled, requires_signature};
use crate::check::{Challenge, ProofOfWork, VouchedSession};
use crate::registry::{ClientStatus, Context, OriginDecision, PressCount};
use crate::verdict::LayerKind;
use crate::vocabulary::{CheckId, ContextId, EoaAddress, Origin, Timestamp};

/// A check to open.
#[derive(Debug, Clone)]
pub struct OpenCheck {
    /// The context.
    pub context: ContextId,
    /// The address that the host page names.
    pub address: EoaAddress,
    /// The origin that the window's document was served for.
    pub origin: Origin,
    /// The URL that the host page says it is.
    pub origin_site: String,
    /// The token by which the platform's backend vouches for the address.
    pub session: Option<String>,
    /// How many times over its ordinary rate the caller's network is.
    pub rate_excess: u32,
}

/// An opened check.
#[derive(Debug, Clone)]
pub struct OpenedCheck {
    /// The check.
    pub check: CheckId,
    /// The token to send back.
    pub token: String,
    /// The work puzzle.
    pub work: ProofOfWork,
    /// Places the first target.
    pub seed: [u8; 8],
    /// How many presses a pointer is asked for.
    pub presses: PressCount,
    /// When the check ends.
    pub expires_at: Timestamp,
    /// Whether it is a sandbox check.
    pub test: bool,
    /// What the visitor's wallet is asked to sign; `None` if it is not asked.
    pub sign_request: Option<SignRequest>,
}

impl CheckService {
    /// Whether a page of `origin` may host a check of this context, while pages `above` frame it; an error names why not.
    ///
    /// Neither an archived context nor one of a suspended or closed client admits a page; a visitor cannot tell which it is.
    /// Checks that are open by then are concluded as usual, which takes as long as a challenge lives: what a visitor did
    /// before counts, also for the time after a client is resumed.
    ///
    /// What is above a window can cover it, or the page's own button. So those are pages that the platform has registered.
    pub async fn authorise_page(
        &self,
        context: &ContextId,
        origin: &Origin,
        above: &[Origin],
    ) -> Result<(Context, OriginDecision), CheckError> {
        let context = self.context(context).await?;
        if context.archived_at.is_some() {
            return Err(CheckError::ContextClosed);
        }
        let client = self.client_of(context.client).await?;
        if client.status != ClientStatus::Active {
            return Err(CheckError::ClientInactive);
        }
        if above.iter().any(|above| context.decide_origin(&client, above) != OriginDecision::Allowlisted) {
            return Err(CheckError::OriginNotAllowed);
        }
        match context.decide_origin(&client, origin) {
            OriginDecision::Refused => Err(CheckError::OriginNotAllowed),
            decision => Ok((context, decision)),
        }
    }

    /// Opens a check.
    pub async fn open_check(&self, request: OpenCheck) -> Result<OpenedCheck, CheckError> {
        let now = self.now();
        let (context, decision) = self.authorise_page(&request.context, &request.origin, &[]).await?;
        if Origin::of_url(&request.origin_site).as_ref() != Ok(&request.origin) {
            return Err(CheckError::OriginMismatch);
        }
        let challenge = Challenge {
            check: CheckId::new(now, self.entropy.bytes()),
            layer: self.layer(&request, now)?,
            context: request.context,
            address: request.address,
            origin: request.origin,
            origin_allowlisted: decision == OriginDecision::Allowlisted,
            environment: context.environment,
            presses: context.settings.presses,
            seed: self.entropy.bytes(),
            work_bits: self.work.bits(request.rate_excess),
            opened_at: now,
        };
        let sign = self.asks(&context, &challenge);
        Ok(OpenedCheck {
            check: challenge.check,
            token: challenge.to_token(&self.secrets),
            work: ProofOfWork::for_challenge(&challenge, &self.secrets),
            seed: challenge.seed,
            presses: challenge.presses,
            expires_at: challenge.expires_at(),
            test: challenge.environment.is_test(),
            sign_request: sign.then(|| SignRequest::for_challenge(&challenge, &self.secrets)),
        })
    }

    /// Returns true if the visitor's wallet is asked to sign. A check that is bound already has nothing to ask.
    fn asks(&self, context: &Context, challenge: &Challenge) -> bool {
        challenge.layer == LayerKind::Unverified
            && requires_signature(context.settings.binding, is_sampled(challenge.check, &self.secrets))
    }

    /// Bound if a session vouches for the address; a session that does not is an error, never silently a claim.
    fn layer(&self, request: &OpenCheck, now: Timestamp) -> Result<LayerKind, CheckError> {
        let Some(token) = &request.session else { return Ok(LayerKind::Unverified) };
        match VouchedSession::from_token(token, &self.secrets) {
            Some(session) if session.vouches_for(&request.context, &request.address, now) => Ok(LayerKind::Owned),
            _ => Err(CheckError::SessionInvalid),
        }
    }
}
