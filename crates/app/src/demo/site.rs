//! Web server of the demo: a quest page on its own origin, as a platform would serve it.

use super::bot_commands::{self, BotCommand};
use super::explain::Explain;
use super::platform::Platform;
use super::test_wallets::TestWallets;
use actix_web::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use actix_web::{HttpRequest, HttpResponse, Responder, web};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use voight_domain::EoaAddress;
use voight_domain::ports::Entropy;

/// State that the handlers of the page share.
#[derive(Clone)]
pub(super) struct DemoSite {
    /// Backend of the platform.
    pub(super) platform: Platform,
    /// Source of random wallets.
    pub(super) entropy: Arc<dyn Entropy>,
    /// Wallets that can sign.
    pub(super) wallets: TestWallets,
    /// Configuration that the page requests when it starts.
    pub(super) config: PageConfig,
}

/// Configuration of the page.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PageConfig {
    base_url: String,
    context_id: String,
    /// Context of the quest for wallets that sign.
    signed_context_id: String,
    origin_site: String,
    /// Commands that print the reasons of a verdict, one per context. They contain `ADDRESS` in place of the address.
    explain: [String; 2],
    bot_commands: Vec<BotCommand>,
}

impl PageConfig {
    /// Creates the configuration of a page at `page`. Its two contexts are for any address, and for wallets that sign.
    pub(super) fn new(
        base_url: &str,
        page: &str,
        contexts: (&str, &str),
        robot: &EoaAddress,
        explain: &Explain,
    ) -> Self {
        let robot = robot.to_string();
        Self {
            base_url: base_url.to_owned(),
            context_id: contexts.0.to_owned(),
            signed_context_id: contexts.1.to_owned(),
            origin_site: format!("{page}/"),
            explain: [contexts.0, contexts.1].map(|context| explain.command(context, "ADDRESS")),
            bot_commands: bot_commands::commands(page, &robot, explain.command(contexts.0, &robot)),
        }
    }

    /// Returns the context of the quest.
    fn context(&self, signed: bool) -> String {
        if signed {
            self.signed_context_id.clone()
        } else {
            self.context_id.clone()
        }
    }
}

/// Draws a random wallet address, whose key does not exist.
pub(super) fn draw_wallet(entropy: &dyn Entropy) -> EoaAddress {
    EoaAddress::from_bytes(entropy.bytes())
}

/// Registers the routes of the page.
pub(super) fn configure(cfg: &mut web::ServiceConfig) {
    cfg.route("/", web::get().to(index))
        .route("/demo/config", web::get().to(config))
        .route("/demo/wallet", web::post().to(wallet))
        .route("/demo/test-wallet", web::post().to(test_wallet))
        .route("/demo/sign", web::post().to(sign))
        .route("/demo/claim", web::post().to(claim))
        .route("/demo/verdict", web::get().to(verdict))
        .route("/demo/robot.mjs", web::get().to(robot))
        .route("/demo/{file}", web::get().to(asset));
}

async fn index(site: web::Data<DemoSite>) -> HttpResponse {
    serve("demo/index.html", &site)
}

async fn asset(request: HttpRequest, site: web::Data<DemoSite>) -> HttpResponse {
    serve(request.path().trim_start_matches('/'), &site)
}

/// Serves a file of the page under a strict content security policy.
///
/// Scripts and frames are allowed from the service, everything else from this origin.
fn serve(path: &str, site: &DemoSite) -> HttpResponse {
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

async fn config(site: web::Data<DemoSite>) -> impl Responder {
    web::Json(site.config.clone())
}

#[derive(Serialize)]
struct Wallet {
    address: String,
}

async fn wallet(site: web::Data<DemoSite>) -> impl Responder {
    web::Json(Wallet {
        address: draw_wallet(site.entropy.as_ref()).to_string(),
    })
}

async fn test_wallet(site: web::Data<DemoSite>) -> HttpResponse {
    match site.wallets.draw(site.entropy.as_ref()) {
        Some(address) => HttpResponse::Ok().json(Wallet {
            address: address.to_string(),
        }),
        None => HttpResponse::InternalServerError().body("No key could be made; try again."),
    }
}

#[derive(Deserialize)]
struct ToSign {
    address: String,
    text: String,
}

/// Signs with a test wallet. The page has asked its user before.
async fn sign(site: web::Data<DemoSite>, asked: web::Json<ToSign>) -> HttpResponse {
    let address: Option<EoaAddress> = asked.address.parse().ok();
    match address.and_then(|address| site.wallets.sign(&address, &asked.text)) {
        Some(signature) => HttpResponse::Ok().body(signature),
        None => {
            HttpResponse::NotFound().body("This is not a test wallet of this demo; take a new one.")
        }
    }
}

async fn robot() -> impl Responder {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/javascript; charset=utf-8"))
        .body(bot_commands::ROBOT)
}

#[derive(Deserialize)]
struct Claim {
    address: String,
    receipt: String,
    signed: bool,
}

async fn claim(site: web::Data<DemoSite>, claim: web::Json<Claim>) -> HttpResponse {
    let Claim {
        address,
        receipt,
        signed,
    } = claim.into_inner();
    let context = site.config.context(signed);
    run_blocking(move || site.platform.claim(&context, &address, &receipt)).await
}

#[derive(Deserialize)]
struct VerdictQuery {
    address: String,
    #[serde(default)]
    signed: bool,
}

async fn verdict(site: web::Data<DemoSite>, question: web::Query<VerdictQuery>) -> HttpResponse {
    let VerdictQuery { address, signed } = question.into_inner();
    let context = site.config.context(signed);
    run_blocking(move || site.platform.verdict(&context, &address)).await
}

/// Runs a call of the platform's backend on a blocking thread, because its HTTP client blocks.
async fn run_blocking<T: Serialize + Send + 'static>(
    asking: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> HttpResponse {
    match web::block(asking).await {
        Ok(Ok(answer)) => HttpResponse::Ok()
            .insert_header((CACHE_CONTROL, "no-store"))
            .json(answer),
        Ok(Err(error)) => HttpResponse::BadGateway().body(error),
        Err(error) => HttpResponse::InternalServerError().body(error.to_string()),
    }
}
