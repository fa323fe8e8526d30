//! `GET /api/v1/users/eoa/detail`: the lookup with the basis of its answer. Metered, billed and limited like the plain lookup.

use super::lookup::{self, LookupEndpoint, LookupInput};
use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorized, LookupAccess};
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::public::LookupDetailResponse;

const ENDPOINT: LookupEndpoint = LookupEndpoint {
    route: "lookup_detail",
    is_detailed: true,
    respond: |environment, answered| {
        answered.detail.as_ref().map(|detail| success_in(environment, &LookupDetailResponse::new(answered, detail)))
    },
};

pub(super) async fn handle(
    state: web::Data<AppState>,
    authorized: Authorized<LookupAccess, LookupInput>,
) -> Result<HttpResponse, ApiError> {
    lookup::answer(&state, authorized, &ENDPOINT).await
}
