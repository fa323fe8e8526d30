//! The demo's own web server: a quest page on an origin of its own, as a platform would run it.

use super::platform::Platform;
use super::robots::{self, BotCommand};
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, Responder, web};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use voight_domain::EoaAddress;
use voight_domain::ports::Entropy;

/// What the page and its server share.
#[derive(Clone)]
pub(super) struct Site {
    /// The platform's backend.
    pub(super) platform: Platform,
    /// Draws wallets.
    pub(super) entropy: Arc<dyn Entropy>,
    /// What the page asks for when it starts.
    pub(super) config: PageConfig,
}

/// What the page has to know.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PageConfig {
    base_url: String,
    context_id: String,
    context_title: String,
    origin_site: String,
    bot_commands: Vec<BotCommand>,
}

impl PageConfig {
    /// The configuration of a page at `page` whose quest is `context_id`.
    pub(super) fn new(base_url: &str, page: &str, context_id: &str, robot: &EoaAddress) -> Self {
        Self {
            base_url: base_url.to_owned(),
            context_id: context_id.to_owned(),
            context_title: context_id.split('.').next().unwrap_or_default().to_owned(),
            origin_site: format!("{page}/"),
            bot_commands: robots::commands(page, &robot.to_string()),
        }
    }

    /// The quest's context.
    pub(super) fn context_id(&self) -> &str {
        &self.context_id
    }
}

/// A wallet's address, made for this demo: nobody holds its key.
pub(super) fn draw_wallet(entropy: &dyn Entropy) -> EoaAddress {
    EoaAddress::from_bytes(entropy.bytes())
}

/// The routes of the page.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    cfg.route("/", web::get().to(index))
        .route("/demo/config", web::get().to(config))
        .route("/demo/wallet", web::post().to(wallet))
        .route("/demo/verdict", web::get().to(verdict))
        .route("/demo/robot.mjs", web::get().to(robot))
        .route("/demo/{file}", web::get().to(asset));
}

async fn index(site: web::Data<Site>) -> HttpResponse {
    serve("demo/index.html", &site)
}

async fn asset(request: HttpRequest, site: web::Data<Site>) -> HttpResponse {
    serve(request.path().trim_start_matches('/'), &site)
}

/// One of the page's files, under the strict policy that a careful platform would have: scripts and frames from the
/// service, everything else from here.
fn serve(path: &str, site: &Site) -> HttpResponse {
    let Some(asset) = voight_browser::asset(path) else {
        return HttpResponse::NotFound().body("There is no such file in the demo.");
    };
    let service = &site.config.base_url;
    let policy = format!(
        "default-src 'none'; script-src 'self' {service}; style-src 'self'; img-src 'self' data:; \
         connect-src 'self'; frame-src {service}; base-uri 'none'; form-action 'none'; \
         require-trusted-types-for 'script'"
    );
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, asset.content_type))
        .insert_header((CONTENT_SECURITY_POLICY, policy))
        .insert_header((CACHE_CONTROL, "no-store"))
        .body(asset.bytes)
}

async fn config(site: web::Data<Site>) -> impl Responder {
    web::Json(site.config.clone())
}

#[derive(Serialize)]
struct Wallet {
    address: String,
}

async fn wallet(site: web::Data<Site>) -> impl Responder {
    web::Json(Wallet { address: draw_wallet(site.entropy.as_ref()).to_string() })
}

async fn robot() -> impl Responder {
    HttpResponse::Ok().insert_header((CONTENT_TYPE, "text/javascript; charset=utf-8")).body(robots::ROBOT)
}

#[derive(Deserialize)]
struct Question {
    address: String,
}

/// Asks the service as the platform's backend, off the event loop because the client blocks.
async fn verdict(site: web::Data<Site>, question: web::Query<Question>) -> HttpResponse {
    let address = question.into_inner().address;
    let asked = web::block(move || site.platform.verdict(site.config.context_id(), &address)).await;
    match asked {
        Ok(Ok(reading)) => HttpResponse::Ok().insert_header((CACHE_CONTROL, "no-store")).json(reading),
        Ok(Err(error)) => HttpResponse::BadGateway().body(error),
        Err(error) => HttpResponse::InternalServerError().body(error.to_string()),
    }
}
