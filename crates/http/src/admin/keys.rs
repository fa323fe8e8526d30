//! API keys.

use super::error::{parsed, parsed_list};
use super::query::ClientQuery;
use super::resolve::{clients_of, key_id};
use super::routes::Routes;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::{Json, NoQuery, OptionalJson, Query};
use crate::operator::Caller;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use ipnet::IpNet;
use std::time::Duration;
use voight_api::admin::{self, routes};
use voight_domain::registry::{DEFAULT_ROTATION_OVERLAP, Key};
use voight_domain::services::{IssueKey, Revocation};
use voight_domain::vocabulary::{ClientId, Environment, Network, Scope, ScopeSet};

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_KEYS, list)
        .add(&routes::ISSUE_KEY, issue)
        .add(&routes::LIST_CONTEXTS_AT_STAKE, list_contexts)
        .add(&routes::ROTATE_KEY, rotate)
        .add(&routes::REVOKE_KEY, revoke);
}

/// `GET /admin/v1/keys`: the API keys of one client or of all.
async fn list(
    query: Query<ClientQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let mut key_views = Vec::new();
    for client in clients_of(&state, query.client.as_deref()).await? {
        let keys = state.services.registry.keys(client.id).await?;
        key_views.extend(
            keys.iter()
                .map(|key| admin::Key::from(&with_latest_use(key, &state))),
        );
    }
    Ok(success(&key_views))
}

/// Returns the key with its latest use, including a use that is not stored yet.
fn with_latest_use(key: &Key, state: &AppState) -> Key {
    Key {
        last_used_at: key.last_used_at.max(state.key_uses.latest(key.id)),
        ..key.clone()
    }
}

/// `POST /admin/v1/keys`: issues an API key. Only this response contains its secret.
async fn issue(
    Json(body): Json<admin::NewKey>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let registry = state.services.registry.acting_as(&caller.actor);
    let client = registry.find_client(&body.client).await?;
    let issued_key = registry.issue_key(request(&body, client.id)?).await?;
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

/// `GET /admin/v1/keys/{key}/contexts`: the contexts that a revocation of the key affects.
async fn list_contexts(
    key: web::Path<String>,
    _: Query<NoQuery>,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let key = key_id(&state, &key).await?;
    let at_stake = state.services.registry.contexts_at_stake(key).await?;
    Ok(success(&admin::KeyContexts::new(key, &at_stake)))
}

/// `POST /admin/v1/keys/{key}/rotate`: issues a new secret of an API key. Only this response contains it.
async fn rotate(
    key: web::Path<String>,
    Json(body): Json<admin::KeyRotation>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let key = key_id(&state, &key).await?;
    let overlap = body
        .overlap_seconds
        .map_or(DEFAULT_ROTATION_OVERLAP, Duration::from_secs);
    let issued_key = state
        .services
        .registry
        .acting_as(&caller.actor)
        .rotate_key(key, overlap, body.reason.as_deref())
        .await?;
    Ok(success(&admin::IssuedKey::from(&issued_key)))
}

/// `POST /admin/v1/keys/{key}/revoke`: revokes an API key. All its secrets become invalid immediately.
async fn revoke(
    key: web::Path<String>,
    OptionalJson(body): OptionalJson<admin::KeyRevocation>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let key = key_id(&state, &key).await?;
    let move_contexts_to = match body.move_contexts_to {
        Some(to) => Some(key_id(&state, &to).await?),
        None => None,
    };
    let revocation = Revocation {
        move_contexts_to,
        reason: body.reason,
    };
    let (key, moved) = state
        .services
        .registry
        .acting_as(&caller.actor)
        .revoke_key(key, revocation)
        .await?;
    Ok(success(&admin::RevokedKey {
        key: admin::Key::from(&key),
        moved_contexts: moved,
    }))
}
