//! Verdicts.

mod decide;
mod explain;
mod list;

use super::error::parsed;
use crate::endpoint::operator_endpoint;
use crate::error::ApiError;
use actix_web::web::{self, ServiceConfig};
use voight_domain::vocabulary::{ContextId, EoaAddress};

pub(super) fn configure(config: &mut ServiceConfig) {
    const VERDICTS: &str = "/contexts/{context}/verdicts";
    config
        .service(operator_endpoint(VERDICTS, "GET", [web::get().to(list::list)]))
        .service(operator_endpoint(&format!("{VERDICTS}/{{address}}"), "GET", [web::get().to(explain::explain)]))
        .service(operator_endpoint(
            &format!("{VERDICTS}/{{address}}/override"),
            "POST",
            [web::post().to(decide::decide)],
        ));
}

/// What a path is about.
fn subject(path: &(String, String)) -> Result<(ContextId, EoaAddress), ApiError> {
    Ok((super::contexts::context_id(&path.0)?, parsed("address", &path.1)?))
}
