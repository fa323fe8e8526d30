//! `POST /admin/v1/keys`: issues an API key. Only this response contains its secret.

use crate::admin::caller::Caller;
use crate::admin::error::{parsed, parsed_list};
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use ipnet::IpNet;
use voight_api::admin;
use voight_domain::services::IssueKey;
use voight_domain::vocabulary::{ClientId, Environment, Network, Scope, ScopeSet};

pub(super) async fn issue(
    Json(body): Json<admin::NewKey>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let registrar = state.services.registrar.acting_as(&caller.actor);
    let client = registrar.find_client(&body.client).await?;
    let issued_key = registrar.issue_key(request(&body, client.id)?).await?;
    Ok(success(&admin::IssuedKey::from(&issued_key)))
}

fn request(body: &admin::NewKey, client: ClientId) -> Result<IssueKey, ApiError> {
    Ok(IssueKey {
        client,
        environment: Environment::from_is_test(body.test),
        scopes: scopes(body.scopes.as_deref())?,
        networks: networks(body.networks.as_deref().unwrap_or_default())?,
        label: body
            .label
            .as_deref()
            .map(|text| parsed("label", text))
            .transpose()?,
        expires_at: body
            .expires_at
            .as_deref()
            .map(|text| parsed("expires_at", text))
            .transpose()?,
    })
}

fn networks(texts: &[String]) -> Result<Vec<IpNet>, ApiError> {
    let networks: Vec<Network> = parsed_list("networks", texts)?;
    Ok(networks.into_iter().map(IpNet::from).collect())
}

fn scopes(requested: Option<&[String]>) -> Result<ScopeSet, ApiError> {
    match requested {
        None => Ok(ScopeSet::all()),
        Some([]) => Err(ApiError::invalid(
            "scopes is empty: a key without a scope may do nothing; leave it out for all.",
        )),
        Some(scopes) => parsed_list::<Scope, _>("scopes", scopes),
    }
}
