//! `voight demo`: the service, and a sample platform with a quest page.
//!
//! The platform uses the service through the public API, with an ordinary client, live key and context; no code outside of this
//! module depends on the demo. The page has its own origin (127.0.0.1, while the service uses localhost), so that it is another
//! site, too.

mod api_exchange;
mod bot_commands;
mod claim;
mod explain;
mod platform;
mod site;
mod temp_data_dir;
mod test_wallets;

use crate::config::Config;
use crate::console::ServedConsole;
use crate::exit::CommandError;
use crate::http_settings::{app_state, settings, spool_in};
use crate::installation::Installation;
use crate::lifecycle::{AdminListeners, block_on, serve, wait_for_signal};
use crate::os::{ConnectionLimits, OsEntropy};
use crate::output::Output;
use actix_web::dev::ServerHandle;
use actix_web::{App, HttpServer, web};
use explain::Explain;
use platform::Platform;
use serde::Serialize;
use site::{DemoSite, PageConfig};
use std::net::{SocketAddr, TcpListener};
use std::os::unix::net::UnixListener;
use std::sync::Arc;
pub(crate) use temp_data_dir::TempDataDir;
use test_wallets::TestWallets;
use voight_domain::services::{IssueKey, RegistryService};
use voight_domain::vocabulary::ScopeSet;
use voight_domain::{ApiKey, Environment};

const CLIENT: &str = "demo";
const QUEST: &str = "lighthouse_quest";
/// Title of the second quest, whose checks require a wallet signature.
const SIGNED_QUEST: &str = "lighthouse_signed";

/// Listeners of a demo, bound.
pub(crate) struct DemoListeners {
    pub(crate) service: TcpListener,
    pub(crate) admin: TcpListener,
    pub(crate) page: TcpListener,
}

/// Information that is printed for the user of the demo.
#[derive(Debug, Serialize)]
struct Welcome {
    page: String,
    service: String,
    /// Link that signs in to the console; absent without the console.
    #[serde(skip_serializing_if = "Option::is_none")]
    console: Option<String>,
    context_id: String,
    key: String,
    eoa_address: String,
    curl: String,
    /// Command that prints the reasons of the verdict on the address.
    explain: String,
}

/// Runs the demo until a signal stops it.
pub(crate) fn run(
    config: &Config,
    listeners: DemoListeners,
    output: Output,
) -> Result<(), CommandError> {
    let installation = Installation::open(config)?;
    // Commands find the server by the socket in its data directory.
    let (socket, bound) = installation.data_dir.bind_admin_socket()?;
    let outcome = block_on(run_all(config, listeners, socket, installation, output));
    drop(bound);
    outcome
}

async fn run_all(
    config: &Config,
    listeners: DemoListeners,
    socket: UnixListener,
    installation: Installation,
    output: Output,
) -> Result<(), CommandError> {
    let explain = Explain::new(installation.data_dir.path());
    let Installation {
        data_dir,
        services,
        token,
        store,
        ..
    } = installation;
    let DemoListeners {
        service,
        admin,
        page,
    } = listeners;
    let base_url = url("localhost", &service)?;
    let page_url = url("127.0.0.1", &page)?;
    let settings = spool_in(&data_dir, settings(config, addr(&admin)?));
    let settings = ConnectionLimits::of_process(&config.server)?.apply(settings);
    let key = issue_key(&services.registry).await?;
    let entropy = Arc::new(OsEntropy);
    let listener_addresses = voight_http::Listeners {
        public: addr(&service)?,
        admin: addr(&admin)?,
    };
    let console = ServedConsole::new(config, &services, listener_addresses);
    let console_link = match &console {
        Some(console) => console.first_link(&services).await?,
        None => None,
    };
    let state = app_state(services, settings);
    let store = config.store.with_url(&store);
    let admin = AdminListeners {
        tcp: admin,
        socket: Some(socket),
        pages: console.as_ref().map(|console| console.pages.clone()),
    };
    let serving = actix_web::rt::spawn(serve(
        service,
        admin,
        state,
        token,
        store,
        wait_for_signal(),
    ));

    let platform = Platform::new(base_url.clone(), key.clone());
    let asking = platform.clone();
    let registering = move || {
        Ok((
            asking.register(QUEST)?,
            asking.register_signed(SIGNED_QUEST)?,
        ))
    };
    let (context, signed) = web::block(registering)
        .await
        .map_err(|error| CommandError::internal(error.to_string()))?
        .map_err(|error: String| CommandError::internal(error))?;
    let visitor = site::draw_wallet(entropy.as_ref());
    let robot = site::draw_wallet(entropy.as_ref());
    let config = PageConfig::new(&base_url, &page_url, (&context, &signed), &robot, &explain);
    let page = serve_page(
        page,
        DemoSite {
            platform,
            entropy,
            wallets: TestWallets::default(),
            config,
        },
    )?;
    let reasons = explain.command(&context, &visitor.to_string());
    output.data(
        &Welcome::new(
            &page_url,
            &base_url,
            &context,
            &key,
            &visitor.to_string(),
            reasons,
        )
        .with_console(console_link),
        Welcome::render_text,
    )?;

    let outcome = serving
        .await
        .map_err(|error| CommandError::internal(error.to_string()))?;
    page.stop(false).await;
    outcome
}

/// Creates a client and its live key, as an operator would.
async fn issue_key(registry: &RegistryService) -> Result<ApiKey, CommandError> {
    let creation_error = |error: &dyn std::fmt::Display| {
        CommandError::internal(format!("the demo's client cannot be created: {error}"))
    };
    let name = CLIENT.parse().map_err(|error| creation_error(&error))?;
    let client = match registry.find_client(CLIENT).await {
        Ok(client) => client,
        Err(_) => registry
            .create_client(name)
            .await
            .map_err(|error| creation_error(&error))?,
    };
    let request = IssueKey {
        client: client.id,
        environment: Environment::Live,
        scopes: ScopeSet::all(),
        networks: Vec::new(),
        expires_at: None,
        label: None,
    };
    Ok(registry
        .issue_key(request)
        .await
        .map_err(|error| creation_error(&error))?
        .secret)
}

fn serve_page(listener: TcpListener, site: DemoSite) -> Result<ServerHandle, CommandError> {
    let site = web::Data::new(site);
    let server =
        HttpServer::new(move || App::new().app_data(site.clone()).configure(site::configure))
            .workers(1)
            .disable_signals()
            .listen(listener)
            .map_err(|error| {
                CommandError::internal(format!("the quest page cannot be served: {error}"))
            })?
            .run();
    let handle = server.handle();
    actix_web::rt::spawn(server);
    Ok(handle)
}

fn addr(listener: &TcpListener) -> Result<SocketAddr, CommandError> {
    listener
        .local_addr()
        .map_err(|error| CommandError::internal(format!("a listener has no address: {error}")))
}

fn url(host: &str, listener: &TcpListener) -> Result<String, CommandError> {
    Ok(format!("http://{host}:{}", addr(listener)?.port()))
}

impl Welcome {
    fn new(
        page: &str,
        service: &str,
        context: &str,
        key: &ApiKey,
        visitor: &str,
        explain: String,
    ) -> Self {
        let key = key.expose();
        Self {
            page: format!("{page}/?address={visitor}"),
            service: service.to_owned(),
            console: None,
            context_id: context.to_owned(),
            key: key.to_owned(),
            eoa_address: visitor.to_owned(),
            curl: format!(
                "curl -s \"{service}/api/v1/users/eoa?eoa_address={visitor}&context_id={context}\" -H \"x-api-key: {key}\""
            ),
            explain,
        }
    }

    fn with_console(mut self, link: Option<String>) -> Self {
        self.console = link;
        self
    }

    fn render_text(&self) -> String {
        let Self {
            page,
            service,
            context_id,
            key,
            curl,
            explain,
            console,
            ..
        } = self;
        let console = console.as_deref().unwrap_or("off");
        format!(
            "\nVoight is running, with a quest page that uses it.\n\n\
             \x20 Quest page   {page}\n\
             \x20 Service      {service}\n\
             \x20 Console      {console}\n\
             \x20 API key      {key}\n\
             \x20 Context      {context_id}\n\n\
             1. Open the quest page and claim the badge.\n\
             2. Ask for the verdict, as the platform's backend does:\n\n{curl}\n\n\
             3. Ask why, as the operator of the service does, in another terminal:\n\n{explain}\n\n\
             4. Claim as a bot, with the commands at the foot of the page.\n\n\
             Ctrl-C ends the demo and removes its data.\n"
        )
    }
}
