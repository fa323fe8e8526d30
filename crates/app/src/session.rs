//! A command's way to the admin API: of the running server, or of one that is started for the command alone.

use crate::admin_client::{AdminClient, Path};
use crate::config::Config;
use crate::data_dir::{AdminSocket, AdminToken, DataDir};
use crate::exit::{CommandError, Exit};
use crate::installation::{Installation, store_url};
use crate::lifecycle::{LocalAdmin, block_on};
use serde::de::IgnoredAny;
use std::thread::sleep;
use std::time::Duration;
use voight_http::Services;

/// Begins the value of `--server` that names an admin socket.
const SOCKET_SCHEME: &str = "unix:";
const PAUSE: Duration = Duration::from_millis(100);
/// Three seconds: a server that has the store but does not listen yet is about to, and other commands take a moment.
const TRIES: u32 = 30;

/// A way to the admin API; a server that was started for it ends with it.
pub(crate) struct AdminSession {
    client: AdminClient,
    local: Option<LocalAdmin>,
}

impl AdminSession {
    /// The way that fits: the named server; the server of the data directory, if one answers; else the store itself.
    pub(crate) fn open(config: &Config, server: Option<&str>) -> Result<Self, CommandError> {
        let mut tries = if is_file_store(config) { TRIES } else { 0 };
        loop {
            if let Some(client) = self::server(config, server)? {
                return Ok(Self { client, local: None });
            }
            match Self::direct(config) {
                Err(failure) if failure.exit == Exit::Unreachable && tries > 0 => {
                    tries -= 1;
                    sleep(PAUSE);
                }
                outcome => return outcome.map_err(|failure| held(failure, config)),
            }
        }
    }

    /// The client to ask.
    pub(crate) const fn client(&self) -> &AdminClient {
        &self.client
    }

    /// Whether a server was started for this command, because none runs.
    pub(crate) const fn is_embedded(&self) -> bool {
        self.local.is_some()
    }

    fn direct(config: &Config) -> Result<Self, CommandError> {
        // A named token has its role without a running server, too.
        let named = DataDir::inspect(&config.store.data_dir)?.known_token()?.filter(AdminToken::is_named);
        let services = Installation::open_services(config)?;
        let token = AdminToken::random();
        if let Some(named) = &named {
            refuse_unless_known(&services, named)?;
        }
        let local = LocalAdmin::start(services, config, token.clone())?;
        let token = named.unwrap_or(token);
        Ok(Self { client: AdminClient::new(&format!("http://{}", local.addr()), token), local: Some(local) })
    }
}

/// Passes if the store has the record of a named token that is not revoked.
fn refuse_unless_known(services: &Services, named: &AdminToken) -> Result<(), CommandError> {
    let Some(id) = named.for_listener().named_id() else { return Ok(()) };
    match block_on(services.admin_tokens.active(id)) {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(CommandError::configuration(format!(
            "the store has no admin token {id}, or it was revoked; give another one in VOIGHT_ADMIN_TOKEN, or leave that empty for the \
             token of the data directory"
        ))),
        Err(error) => Err(CommandError::internal(error.to_string())),
    }
}

/// A client of the named server; else of the server of the data directory, if one answers.
pub(crate) fn server(config: &Config, named: Option<&str>) -> Result<Option<AdminClient>, CommandError> {
    match named {
        Some(url) => self::named(config, url).map(Some),
        None => running(config),
    }
}

/// A client of the admin listener at `url`, or of the admin socket at `unix:PATH`.
fn named(config: &Config, url: &str) -> Result<AdminClient, CommandError> {
    let socket = url.strip_prefix(SOCKET_SCHEME).filter(|path| !path.is_empty());
    if socket.is_none() && !url.starts_with("http://") {
        let sentence = format!(
            "--server {url:?} is no admin listener; write for example http://127.0.0.1:8081, or unix:/path/to/admin.sock"
        );
        return Err(CommandError::new(Exit::Usage, sentence));
    }
    let token = DataDir::inspect(&config.store.data_dir).and_then(|dir| dir.known_token())?.ok_or_else(|| {
        CommandError::configuration(format!(
            "there is no admin token in {}; give the server's in VOIGHT_ADMIN_TOKEN, or its directory by --data-dir",
            config.store.data_dir
        ))
    })?;
    let client = match socket {
        Some(path) => AdminClient::over_socket(AdminSocket::at(path.into()), token),
        None => AdminClient::new(url, token),
    };
    match ping(&client) {
        Err(failure) if failure.exit == Exit::NotFound => {
            let sentence = format!("{url} is a server, but not its admin listener; by default that has port 8081");
            Err(CommandError::unreachable(sentence))
        }
        asked => asked.map(|()| client),
    }
}

/// A client of the server that answers on the socket of the data directory. A port is never tried: another process may listen
/// on the port of a server that crashed.
fn running(config: &Config) -> Result<Option<AdminClient>, CommandError> {
    let dir = DataDir::inspect(&config.store.data_dir)?;
    let socket = dir.admin_socket();
    let (true, Some(token)) = (socket.exists(), dir.known_token()?) else { return Ok(None) };
    let client = AdminClient::over_socket(socket, token);
    match ping(&client) {
        Ok(()) => Ok(Some(client)),
        Err(failure) if failure.exit == Exit::Unreachable => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// Asks the cheapest thing that needs a token, of any role: every command begins with it.
fn ping(client: &AdminClient) -> Result<(), CommandError> {
    client.get::<IgnoredAny>(&Path::from_segments(["token"])).map(drop)
}

/// Whether one process at a time can have the store.
fn is_file_store(config: &Config) -> bool {
    let store = DataDir::inspect(&config.store.data_dir).and_then(|dir| store_url(config, &dir));
    store.is_ok_and(|url| url.path().is_some())
}

fn held(failure: CommandError, config: &Config) -> CommandError {
    if failure.exit != Exit::Unreachable || !is_file_store(config) {
        return failure;
    }
    let socket = DataDir::inspect(&config.store.data_dir).ok().map(|dir| dir.admin_socket());
    let hint = match socket.filter(AdminSocket::exists) {
        Some(socket) => format!("its admin socket {} does not answer", socket.path().display()),
        None => {
            "if it is a server of another data directory, name that by --data-dir, or its admin listener by --server"
                .into()
        }
    };
    CommandError::unreachable(format!("{}; {hint}", failure.message))
}
