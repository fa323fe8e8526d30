//! `GET /api/v1/users/eoa/detail`: the lookup with the basis of its answer. Metered, billed and limited like the plain lookup.

use super::lookup::{self, ConfidenceBody, LookupEndpoint, LookupInput};
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Authorized, LookupAccess};
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;
use voight_api::openapi::{Operation, ResponseBody};
use voight_domain::metering::RecordedAnswer;
use voight_domain::verdict::{self, Detail};

/// Path of the endpoint.
pub(super) const PATH: &str = "/api/v1/users/eoa/detail";
const ENDPOINT: LookupEndpoint = LookupEndpoint {
    route: "lookup_detail",
    is_detailed: true,
    respond: |test, answered| {
        answered.detail.as_ref().map(|detail| success(test, &LookupDetailResponse::of(answered, detail)))
    },
};

/// Result of a lookup with the basis of its answer.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct LookupDetailResponse {
    /// Status of the address. `unknown`: no conclusive check, no flag and no override. `human`: an override, or evidence with a
    /// score of 0.1 or more. `bot`: isBot is true. `unsure`: there are conclusive checks but their evidence supports neither,
    /// or the context is in mode `observe` and does not report the flag.
    status: Status,
    /// `true` if a bot is detected, as in the plain lookup.
    #[serde(rename = "isBot")]
    is_bot: bool,
    /// Certainty of the prediction, as in the plain lookup.
    confidence: ConfidenceBody,
    /// Conclusive checks on which the answer is based.
    checks: CheckCount,
    /// Layer of the answer: `owned`, `unverified`, or `both`. `owned` covers checks of sessions that belonged to the address,
    /// `unverified` checks that any visitor could have done. `both` merges them, if the context keeps unverified flags. Null if
    /// the status is unknown.
    layer: Option<AnsweringLayer>,
    /// Source of the status. `checks`: evidence. `operator`: an override that is in force. `list`: reserved, never returned
    /// yet. Null if the status is unknown.
    decided_by: Option<DecidedBy>,
    /// Latest version of the policy that evaluated a check; null if no check was evaluated.
    policy: Option<u32>,
    /// Latest version of the behaviour model that evaluated a check; null if none did.
    model: Option<u32>,
}

/// Conclusive checks.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckCount {
    /// Number of conclusive checks in the answering layer since the latest override or erasure.
    completed: u32,
    /// Time of the latest of these checks, RFC 3339 in UTC; null if there is none or its time is unknown.
    #[schema(format = DateTime)]
    last_at: Option<String>,
}

macro_rules! word {
    ($(#[$doc:meta])* $name:ident { $($variant:ident),+ }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, Serialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub(crate) enum $name { $($variant),+ }

        impl From<verdict::$name> for $name {
            fn from(value: verdict::$name) -> Self {
                match value { $(verdict::$name::$variant => Self::$variant),+ }
            }
        }
    };
}

word! {
    /// Status of an address in a context.
    Status { Unknown, Human, Bot, Unsure }
}
word! {
    /// Source of a status.
    DecidedBy { Checks, Operator, List }
}
word! {
    /// Layer of an answer.
    AnsweringLayer { Owned, Unverified, Both }
}

impl LookupDetailResponse {
    fn of(RecordedAnswer { answer, .. }: &RecordedAnswer, detail: &Detail) -> Self {
        let version = |number| Some(number).filter(|number| *number > 0);
        Self {
            status: detail.status.into(),
            is_bot: answer.is_bot,
            confidence: ConfidenceBody::of(answer.score),
            checks: CheckCount { completed: detail.checks, last_at: detail.last_check_at.map(|at| at.to_string()) },
            layer: detail.layer.map(Into::into),
            decided_by: detail.decided_by.map(Into::into),
            policy: version(detail.versions.policy),
            model: version(detail.versions.model),
        }
    }
}

pub(super) async fn handle(
    state: web::Data<AppState>,
    authorized: Authorized<LookupAccess, LookupInput>,
) -> Result<HttpResponse, ApiError> {
    lookup::answer(&state, authorized, &ENDPOINT).await
}

pub(super) fn operation() -> Operation {
    Operation {
        method: "get",
        path: PATH,
        id: "lookUpAddressDetail",
        summary: "Query the identification result for an address with its basis",
        description: "Answers as the plain lookup does, and tells addresses apart that were never checked, that are taken for \
            a human's or a bot's, and whose checks supported neither. It is one lookup: recorded, billed and limited as the \
            plain one. An idempotency key is scoped to this endpoint.",
        needs_key: true,
        parameters: lookup::parameters(),
        request: None,
        answer: ResponseBody::Enveloped("LookupDetailResponse"),
        headers: lookup::HEADERS,
        errors: lookup::ERRORS,
    }
}
