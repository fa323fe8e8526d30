//! `GET /api/v1/users/eoa/detail`: the lookup with the basis of its answer. Metered, billed and limited like the plain lookup.

use super::lookup::LookupHandler;
use crate::envelope::write_success;
use voight_api::public::LookupDetailResponse;

pub(super) const HANDLER: LookupHandler = LookupHandler {
    route: "lookup_detail",
    is_detailed: true,
    write: |into, environment, answered| {
        let detail = answered.detail.as_ref();
        detail.is_some_and(|detail| {
            write_success(
                into,
                environment,
                &LookupDetailResponse::new(answered, detail),
            )
        })
    },
};
