//! Users of the console: `/admin/v1/users`.

use super::error::parsed;
use super::routes::Routes;
use crate::envelope::success;
use crate::error::ApiError;
use crate::extract::Json;
use crate::operator::Caller;
use crate::state::AppState;
use actix_web::{HttpResponse, web};
use voight_api::admin::{self, routes};

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_USERS, list)
        .add(&routes::INVITE_USER, invite)
        .add(&routes::SET_USER_ROLE, set_role)
        .add(&routes::REMOVE_USER, remove);
}

/// Lists all users, including removed ones.
async fn list(state: web::Data<AppState>) -> Result<HttpResponse, ApiError> {
    let users = state.services.users.list().await?;
    Ok(success(
        &users.iter().map(admin::User::from).collect::<Vec<_>>(),
    ))
}

/// Creates a sign-in link, and the user if missing. Only this response contains the link.
async fn invite(
    Json(body): Json<admin::NewUser>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let name = parsed("name", &body.name)?;
    let role = parsed("role", &body.role)?;
    let users = state.services.users.acting_as(&caller.actor);
    let invited_user = users.invite(name, role).await?;
    Ok(success(&admin::InvitedUser::from(&invited_user)))
}

/// Gives a user another role, which ends the user's sessions.
async fn set_role(
    reference: web::Path<String>,
    Json(body): Json<admin::UserRole>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let role = parsed("role", &body.role)?;
    let users = state.services.users.acting_as(&caller.actor);
    let user = users.find(&reference).await?;
    let changed_user = users.set_role(user.id, role).await?;
    Ok(success(&admin::User::from(&changed_user)))
}

/// Removes a user permanently.
async fn remove(
    reference: web::Path<String>,
    Json(admin::UserRemoval {}): Json<admin::UserRemoval>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let users = state.services.users.acting_as(&caller.actor);
    let user = users.find(&reference).await?;
    let removed_user = users.remove(user.id).await?;
    Ok(success(&admin::User::from(&removed_user)))
}
