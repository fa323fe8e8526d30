//! Session of a command with the admin API, of the running server or of an embedded one.

use crate::admin_client::{AdminClient, AdminListener};
use crate::config::Config;
use crate::data_dir::{AdminSocket, DataDir};
use crate::exit::{CommandError, Exit};
use crate::local_store::{self, LocalAdmin};
use std::thread::sleep;
use std::time::Duration;

/// Prefix of a `--server` value that names an admin socket.
const SOCKET_SCHEME: &str = "unix:";
const PAUSE: Duration = Duration::from_millis(100);
/// Number of attempts to open a session, three seconds in total.
///
/// A server that holds the store is about to listen, and other commands release it soon.
const TRIES: u32 = 30;

/// Session with the admin API; a server that was started for it stops with it.
pub(crate) struct AdminSession {
    client: AdminClient,
    local: Option<LocalAdmin>,
}

impl AdminSession {
    /// Opens a session with a server, or over the store itself if none answers.
    ///
    /// The named server takes precedence over the server of the data directory.
    pub(crate) fn open(config: &Config, server: Option<&str>) -> Result<Self, CommandError> {
        let mut tries = if local_store::is_in_files(config) {
            TRIES
        } else {
            0
        };
        loop {
            if let Some(client) = self::server(config, server)? {
                return Ok(Self {
                    client,
                    local: None,
                });
            }
            match local_store::serve(config) {
                Ok((client, local)) => {
                    return Ok(Self {
                        client,
                        local: Some(local),
                    });
                }
                Err(failure) if failure.exit == Exit::Unreachable && tries > 0 => {
                    tries -= 1;
                    sleep(PAUSE);
                }
                Err(failure) => return Err(held(failure, config)),
            }
        }
    }

    /// Returns the client of the admin API.
    pub(crate) const fn client(&self) -> &AdminClient {
        &self.client
    }

    /// Returns `true` if a server was started for this command, because none is running.
    pub(crate) const fn is_embedded(&self) -> bool {
        self.local.is_some()
    }
}

/// Returns a client of the named server; else of the server of the data directory, if one answers.
pub(crate) fn server(
    config: &Config,
    named: Option<&str>,
) -> Result<Option<AdminClient>, CommandError> {
    match named {
        Some(url) => self::named(config, url).map(Some),
        None => running(config),
    }
}

/// Returns the admin listener that `--server` names, else the socket of the data directory.
pub(crate) fn listener(
    config: &Config,
    named: Option<&str>,
) -> Result<AdminListener, CommandError> {
    match named {
        Some(url) => parse_listener(url),
        None => Ok(AdminListener::Socket(
            DataDir::inspect(&config.store.data_dir)?.admin_socket(),
        )),
    }
}

/// Parses the URL of an admin listener, or `unix:PATH` of an admin socket.
fn parse_listener(url: &str) -> Result<AdminListener, CommandError> {
    match url
        .strip_prefix(SOCKET_SCHEME)
        .filter(|path| !path.is_empty())
    {
        Some(path) => Ok(AdminListener::Socket(AdminSocket::from_path(path.into()))),
        None if url.starts_with("http://") => Ok(AdminListener::Url(url.to_owned())),
        None => Err(CommandError::new(
            Exit::Usage,
            format!(
                "--server {url:?} is not an admin listener; write for example http://127.0.0.1:8081, or unix:/path/to/admin.sock"
            ),
        )),
    }
}

/// Creates a client of the admin listener at `url`, or of the admin socket at `unix:PATH`.
fn named(config: &Config, url: &str) -> Result<AdminClient, CommandError> {
    let listener = parse_listener(url)?;
    let token = DataDir::inspect(&config.store.data_dir).and_then(|dir| dir.known_token())?.ok_or_else(|| {
        CommandError::configuration(format!(
            "there is no admin token in {}; give the server's in VOIGHT_ADMIN_TOKEN, or its directory by --data-dir",
            config.store.data_dir
        ))
    })?;
    let client = AdminClient::for_listener(listener, token);
    match client.ping() {
        Err(failure) if failure.exit == Exit::NotFound => {
            let sentence = format!(
                "{url} is a server, but not its admin listener; by default that has port 8081"
            );
            Err(CommandError::unreachable(sentence))
        }
        asked => asked.map(|()| client),
    }
}

/// Returns a client of the server that answers on the socket of the data directory. Ports are never tried: another process may
/// listen on the port of a server that crashed.
fn running(config: &Config) -> Result<Option<AdminClient>, CommandError> {
    let dir = DataDir::inspect(&config.store.data_dir)?;
    let socket = dir.admin_socket();
    let (true, Some(token)) = (socket.exists(), dir.known_token()?) else {
        return Ok(None);
    };
    let client = AdminClient::for_listener(AdminListener::Socket(socket), token);
    match client.ping() {
        Ok(()) => Ok(Some(client)),
        Err(failure) if failure.exit == Exit::Unreachable => Ok(None),
        Err(failure) => Err(failure),
    }
}

fn held(failure: CommandError, config: &Config) -> CommandError {
    if failure.exit != Exit::Unreachable || !local_store::is_in_files(config) {
        return failure;
    }
    let socket = DataDir::inspect(&config.store.data_dir)
        .ok()
        .map(|dir| dir.admin_socket());
    let hint = match socket.filter(AdminSocket::exists) {
        Some(socket) => format!("its admin socket {} does not answer", socket.path().display()),
        None => {
            "if it is a server of another data directory, name that by --data-dir, or its admin listener by --server"
                .into()
        }
    };
    CommandError::unreachable(format!("{}; {hint}", failure.message))
}
