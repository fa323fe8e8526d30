//! Opening of a check: the challenge holds the complete state, nothing is written.

use super::{CheckError, CheckService};
use crate::check::{Challenge, CheckCounts, ProofOfWork, VouchedSession};
use crate::ownership::{SignRequest, draw_sampling, requires_signature};
use crate::registry::{ClientStatus, Context, OriginDecision, PressCount};
use crate::verdict::LayerKind;
use crate::vocabulary::{CheckId, ContextId, EoaAddress, Origin, Timestamp};

/// Request to open a check.
#[derive(Debug, Clone)]
pub struct OpenCheck {
    /// The context.
    pub context: ContextId,
    /// The address that the host page names.
    pub address: EoaAddress,
    /// The origin for which the window's document was served.
    pub origin: Origin,
    /// The URL that the host page reports as its own.
    pub origin_site: String,
    /// The session token that the platform's backend created for the address.
    pub session: Option<String>,
    /// The factor by which the caller's network exceeds its ordinary rate.
    pub rate_excess: u32,
}

/// Opened check.
#[derive(Debug, Clone)]
pub struct OpenedCheck {
    /// The check.
    pub check: CheckId,
    /// The challenge token that the window sends back.
    pub token: String,
    /// The proof of work.
    pub work: ProofOfWork,
    /// The seed of the first target's position.
    pub seed: [u8; 8],
    /// The number of presses that a pointer has to make.
    pub presses: PressCount,
    /// The time of expiry.
    pub expires_at: Timestamp,
    /// `true` for a sandbox check.
    pub test: bool,
    /// The request for a signature of the visitor's wallet; `None` if no signature is required.
    pub sign_request: Option<SignRequest>,
}

impl CheckService {
    /// Passes if a page of `origin` may host a check of this context while pages `above` frame it.
    ///
    /// The error names the reason. Neither an archived context nor a context of a suspended or closed client permits a
    /// page; a visitor cannot tell these cases apart. Checks that are already open are concluded as usual within the
    /// lifetime of a challenge, so the visitor's actions before still count, also after a client is resumed.
    ///
    /// A page above the window can cover it, or cover the page's own button. Therefore every page above must be on the
    /// allowlist.
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
        if above
            .iter()
            .any(|above| context.decide_origin(&client, above) != OriginDecision::Allowlisted)
        {
            return Err(CheckError::OriginNotAllowed);
        }
        match context.decide_origin(&client, origin) {
            OriginDecision::Rejected => Err(CheckError::OriginNotAllowed),
            decision => Ok((context, decision)),
        }
    }

    /// Opens a check.
    pub async fn open_check(&self, request: OpenCheck) -> Result<OpenedCheck, CheckError> {
        let now = self.now();
        let (context, decision) = self
            .authorise_page(&request.context, &request.origin, &[])
            .await?;
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
            presses: context.settings.press_count,
            seed: self.entropy.bytes(),
            work_bits: self.work.bits(request.rate_excess),
            opened_at: now,
        };
        let sign = self.asks(&context, &challenge);
        self.check_counters.record(&challenge, CheckCounts::OPENED);
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

    /// Returns `true` if the visitor's wallet is asked to sign. A check with proven ownership needs no signature.
    fn asks(&self, context: &Context, challenge: &Challenge) -> bool {
        challenge.layer == LayerKind::Unverified
            && requires_signature(
                context.settings.ownership_proof,
                draw_sampling(challenge.check, &self.secrets),
            )
    }

    /// Returns `Owned` if a session vouches for the address. An invalid session is an error; it never falls back to
    /// `Unverified`.
    fn layer(&self, request: &OpenCheck, now: Timestamp) -> Result<LayerKind, CheckError> {
        let Some(token) = &request.session else {
            return Ok(LayerKind::Unverified);
        };
        match VouchedSession::from_token(token, &self.secrets) {
            Some(session) if session.vouches_for(&request.context, &request.address, now) => {
                Ok(LayerKind::Owned)
            }
            _ => Err(CheckError::SessionInvalid),
        }
    }
}
