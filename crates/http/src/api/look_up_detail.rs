//! `GET /api/v1/users/eoa/detail`: the lookup with what its answer rests on. It is metered, billed and limited as the plain one.

use super::look_up::{self, ConfidenceBody, LookupEndpoint, LookupInput};
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Authorized, LookupAccess};
use crate::openapi::{Operation, ResponseBody};
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;
use voight_domain::metering::RecordedAnswer;
use voight_domain::verdict::{self, Detail};

/// Path of the endpoint.
pub(super) const PATH: &str = "/api/v1/users/eoa/detail";
const ENDPOINT: LookupEndpoint = LookupEndpoint {
    route: "lookup_detail",
    is_detailed: true,
    respond: |test, answered| {
        answered.detail.as_ref().map(|detail| success(test, &DetailedIdentification::of(answered, detail)))
    },
};

/// The identification result with what it rests on.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DetailedIdentification {
    /// `unknown`: no conclusive check, no flag and no decision. `human`: a decision, or evidence of a score of 0.1 or more. `bot`:
    /// isBot is true. `unsure`: there were checks, and their evidence supports neither; or the context observes and does
    /// not answer with a flag.
    status: Status,
    /// As in the plain answer.
    #[serde(rename = "isBot")]
    is_bot: bool,
    /// As in the plain answer.
    confidence: ConfidenceBody,
    /// The conclusive checks that the answer rests on.
    checks: CheckCount,
    /// The layer that answers: checks of sessions that belonged to the address (`owned`), checks that any visitor could have
    /// done (`unverified`), or `both`, merged, where the context keeps unverified flags. Null if the status is unknown.
    layer: Option<AnsweringLayer>,
    /// `checks`: evidence. `operator`: an override that is in force. `list`: reserved, no answer has it yet. Null if the
    /// status is unknown.
    decided_by: Option<DecidedBy>,
    /// The latest version of the policy that judged; null if no check was judged.
    policy: Option<u32>,
    /// The latest version of the behaviour model that judged; null if none did.
    model: Option<u32>,
}

/// Conclusive checks.
#[derive(Debug, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CheckCount {
    /// Their number in the answering layer, since the latest override or erase.
    completed: u32,
    /// The time of the latest of them, RFC 3339 in UTC; null if there is none or it is not known.
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
    /// The state of an address in a context.
    Status { Unknown, Human, Bot, Unsure }
}
word! {
    /// Source of a status.
    DecidedBy { Checks, Operator, List }
}
word! {
    /// The layer that answers.
    AnsweringLayer { Owned, Unverified, Both }
}

impl DetailedIdentification {
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
    look_up::answer(&state, authorized, &ENDPOINT).await
}

pub(super) fn operation() -> Operation {
    Operation {
        method: "get",
        path: PATH,
        id: "lookUpAddressDetail",
        summary: "Query the identification result for an address with what it rests on",
        description: "Answers as the plain lookup does, and tells addresses apart that were never checked, that are taken for \
            a human's or a bot's, and whose checks supported neither. It is one lookup: recorded, billed and limited as the \
            plain one. An idempotency key is scoped to this endpoint.",
        needs_key: true,
        parameters: look_up::parameters(),
        request: None,
        answer: ResponseBody::Enveloped("DetailedIdentification"),
        headers: look_up::HEADERS,
        errors: look_up::ERRORS,
    }
}
