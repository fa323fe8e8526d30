//! Routes of the console. Each row names the permission that it requires.

use crate::error::ConsoleError;
use crate::guard::guard;
use crate::screens::{
    audit, client, clients, context, contexts, invoice, overview, people, protect, search, sign_in,
    system, usage, verdict, verdicts,
};
use crate::visit::Requirement;
use crate::{ConsoleState, PREFIX, assets};
use actix_web::middleware::from_fn;
use actix_web::{HttpResponse, Resource, web};
use voight_domain::registry::Permission::{self, Bill, Operate, Own, Read, ReadAccounts};

/// Maximum size of a form, in bytes.
const MAX_FORM_BYTES: usize = 64 * 1024;

/// Adds the routes to an app.
pub(crate) fn configure(state: &web::Data<ConsoleState>, config: &mut web::ServiceConfig) {
    let scope = web::scope(PREFIX)
        .app_data(state.clone())
        .app_data(web::PayloadConfig::new(MAX_FORM_BYTES))
        .wrap(from_fn(guard))
        .service(open("/assets/{name}").get(assets::show))
        .service(open("/sign-in").get(sign_in::show))
        .service(
            open("/sign-in/{link}")
                .get(sign_in::show_link)
                .post(sign_in::redeem_link),
        );
    let scope = pages().into_iter().fold(scope, actix_web::Scope::service);
    config.service(scope.default_service(web::to(not_found)));
}

/// Returns the pages and forms of users who are signed in.
fn pages() -> Vec<Resource> {
    vec![
        page("", ReadAccounts).get(overview::show),
        page("/theme", ReadAccounts).post(sign_in::set_theme),
        page("/sign-out", ReadAccounts).post(sign_in::sign_out),
        page("/search", ReadAccounts).get(search::show),
        page("/protect", Operate)
            .get(protect::show)
            .post(protect::create),
        page("/contexts", Read).get(contexts::show),
        page("/contexts/{context}", Read).get(context::show),
        page("/contexts/{context}/settings", Operate).post(context::change),
        page("/contexts/{context}/archive", Operate).post(context::archive),
        page("/verdicts", Read).get(verdicts::show),
        page("/verdicts/{context}/{address}", Read).get(verdict::show),
        page("/verdicts/{context}/{address}/label", Operate).post(verdict::label),
        sensitive_page("/verdicts/{context}/{address}/override", Operate).post(verdict::set),
        sensitive_page("/verdicts/{context}/{address}/erase", Operate)
            .get(verdict::confirm_erasure)
            .post(verdict::erase),
        page("/clients", ReadAccounts).get(clients::show),
        page("/clients/new", Operate).post(clients::create),
        page("/clients/{client}", ReadAccounts).get(client::show),
        page("/clients/{client}/status", Operate).post(client::set_status),
        sensitive_page("/clients/{client}/keys", Operate).post(client::issue_key),
        sensitive_page("/clients/{client}/keys/{key}/revoke", Operate).post(client::revoke_key),
        page("/usage", ReadAccounts).get(usage::show),
        page("/invoices/{invoice}", ReadAccounts).get(invoice::show),
        page("/invoices/{invoice}/pay", Bill).post(invoice::pay),
        sensitive_page("/invoices/{invoice}/void", Bill).post(invoice::void),
        page("/system", ReadAccounts).get(system::show),
        page("/audit", Read).get(audit::show),
        page("/people", Own).get(people::show),
        sensitive_page("/people/invite", Own).post(people::invite),
        sensitive_page("/people/{user}/role", Own).post(people::set_role),
        sensitive_page("/people/{user}/remove", Own).post(people::remove),
        page("/people/sessions/{session}/end", ReadAccounts).post(people::end_session),
    ]
}

/// Creates the resource of a page of users with `permission`.
fn page(path: &str, permission: Permission) -> Resource {
    resource(path, permission, false)
}

/// Creates the resource of a change that requires a fresh proof of identity.
fn sensitive_page(path: &str, permission: Permission) -> Resource {
    resource(path, permission, true)
}

fn resource(path: &str, permission: Permission, needs_fresh_proof: bool) -> Resource {
    open(path).app_data(Requirement {
        permission,
        needs_fresh_proof,
    })
}

/// Creates the resource of a page that requires no session.
fn open(path: &str) -> Resource {
    web::resource(path.to_owned())
}

async fn not_found() -> Result<HttpResponse, ConsoleError> {
    Err(ConsoleError::not_found("page at this address"))
}
