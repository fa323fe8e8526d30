//! `voight serve`.

use super::invocation::Invocation;
use super::store::backup_rule;
use crate::config::{Config, Flag};
use crate::console::ServedConsole;
use crate::exit::CommandError;
use crate::exposed_secrets::exposed_secrets;
use crate::http_settings::{app_state, settings, spool_in};
use crate::installation::Installation;
use crate::lifecycle::{AdminListeners, block_on, serve, wait_for_signal};
use crate::os::ConnectionLimits;
use crate::output::Output;
use crate::telemetry;
use clap::{Args, ValueEnum};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::unix::net::UnixListener;
use voight_domain::services::Services;
use voight_http::HttpSettings;

/// Run the service.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  voight serve
  voight serve --data-dir /srv/voight --listen 0.0.0.0:8080 --log-format json
  voight serve --config /etc/voight/voight.toml --store postgres://voight@db.example/voight")]
pub(super) struct Serve {
    /// Address of the public API, the window and the component [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR", value_parser = listen_addr)]
    listen: Option<SocketAddr>,
    /// Address of the admin API for probes, metrics and remote operators [default: 127.0.0.1:8081]
    ///
    /// Commands on this machine use the socket in the data directory instead.
    #[arg(long, value_name = "ADDR", value_parser = listen_addr)]
    admin_listen: Option<SocketAddr>,
    /// Log format
    #[arg(long, value_name = "FORM")]
    log_format: Option<LogFormat>,
}

fn listen_addr(text: &str) -> Result<SocketAddr, &'static str> {
    text.parse()
        .map_err(|_| "an address of this machine and a port are needed, for example 127.0.0.1:8080")
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    /// Human-readable text
    Text,
    /// One JSON object per line
    Json,
}

impl Serve {
    fn flags(&self) -> Vec<Flag> {
        let keys = [
            ("server.listen", self.listen.map(|addr| addr.to_string())),
            (
                "server.admin_listen",
                self.admin_listen.map(|addr| addr.to_string()),
            ),
            (
                "log.json",
                self.log_format
                    .map(|format| (format == LogFormat::Json).to_string()),
            ),
        ];
        keys.into_iter()
            .filter_map(|(key, value)| Some(Flag { key, value: value? }))
            .collect()
    }

    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let loaded_config = invocation.load(self.flags())?;
        let config = &loaded_config.config;
        telemetry::start_limited(&config.log)?;
        let limits = ConnectionLimits::of_process(&config.server)?;
        // Both ports are bound before anything is written, so that a port in use leaves no files behind.
        let listeners = Listeners::bind(config)?;
        let installation = Installation::open(config)?;
        let (socket, bound) = installation.data_dir.bind_admin_socket()?;
        greet(invocation.output, config, &installation, &listeners);
        for warning in exposed_secrets(&loaded_config, &installation.data_dir) {
            tracing::warn!(
                event = "secret_exposed",
                warning,
                "a secret can be read by other users"
            );
        }
        let outcome = block_on(run(
            listeners,
            socket,
            installation,
            config,
            limits,
            invocation.output,
        ));
        drop(bound);
        outcome
    }
}

async fn run(
    listeners: Listeners,
    socket: UnixListener,
    installation: Installation,
    config: &Config,
    limits: ConnectionLimits,
    output: Output,
) -> Result<(), CommandError> {
    let Installation {
        data_dir,
        services,
        token,
        store,
        is_new,
        ..
    } = installation;
    let listener_addresses = voight_http::Listeners {
        public: listeners.public_addr,
        admin: listeners.admin_addr,
    };
    let settings = limits.apply(spool_in(&data_dir, settings(config, listeners.admin_addr)));
    let settings = HttpSettings {
        listeners: Some(listener_addresses),
        ..settings
    };
    let console = ServedConsole::new(config, &services, listener_addresses);
    if let Some(console) = &console {
        // A log in JSON is read by programs, so the link is not among its lines.
        if is_new && !config.log.json {
            print_first_link(output, console, &services).await?;
        }
    }
    let state = app_state(services, settings);
    let store = config.store.with_url(&store);
    let admin = AdminListeners {
        tcp: listeners.admin,
        socket: Some(socket),
        pages: console.map(|console| console.pages),
    };
    serve(
        listeners.public,
        admin,
        state,
        token,
        store,
        wait_for_signal(),
    )
    .await?;
    tracing::info!(
        event = "service_stopped",
        "stopped: all acknowledged changes are stored"
    );
    Ok(())
}

/// Prints the link of the first owner. The link is not logged.
async fn print_first_link(
    output: Output,
    console: &ServedConsole,
    services: &Services,
) -> Result<(), CommandError> {
    if let Some(link) = console.first_link(services).await? {
        output.note(format_args!(
            "Set up your access to the console within 15 minutes; the link works once:\n\n  {link}\n\n\
             Later: voight user invite NAME --role ROLE\n"
        ));
    }
    Ok(())
}

/// Public and admin listener, bound.
struct Listeners {
    public: TcpListener,
    public_addr: SocketAddr,
    admin: TcpListener,
    admin_addr: SocketAddr,
}

impl Listeners {
    fn bind(config: &Config) -> Result<Self, CommandError> {
        let (public, public_addr) = bind(config.server.listen, "--listen")?;
        let (admin, admin_addr) = bind(config.server.admin_listen, "--admin-listen")?;
        Ok(Self {
            public,
            public_addr,
            admin,
            admin_addr,
        })
    }
}

fn bind(addr: SocketAddr, flag: &str) -> Result<(TcpListener, SocketAddr), CommandError> {
    let bind_result =
        TcpListener::bind(addr).and_then(|listener| Ok((listener.local_addr()?, listener)));
    let (bind_result, listener) = bind_result.map_err(|error| {
        let reason = match error.kind() {
            io::ErrorKind::AddrInUse => format!(
                "port {} of {} is in use by another program",
                addr.port(),
                addr.ip()
            ),
            io::ErrorKind::AddrNotAvailable => {
                format!("{} is not an address of this machine", addr.ip())
            }
            io::ErrorKind::PermissionDenied => {
                format!("this user may not use port {}", addr.port())
            }
            _ => format!("{addr} cannot be used ({error})"),
        };
        CommandError::internal(format!("{reason}; choose another with {flag} ADDRESS:PORT"))
    })?;
    Ok((listener, bind_result))
}

fn greet(output: Output, config: &Config, installation: &Installation, listeners: &Listeners) {
    let public = listeners.public_addr;
    let admin = listeners.admin_addr;
    tracing::info!(
        event = "service_started",
        %public,
        %admin,
        store = %installation.store,
        "voight {version} is listening",
        version = env!("CARGO_PKG_VERSION")
    );
    if !admin.ip().is_loopback() {
        tracing::warn!(
            event = "admin_listener_exposed",
            %admin,
            "the admin listener can be reached from other machines; keep it behind a firewall"
        );
    }
    if installation.is_new && !config.log.json {
        let dir = installation.data_dir.path().display();
        let rule = backup_rule(&installation.data_dir.pepper_path());
        output.note(format_args!(
            "\nThis is a new installation. Its data directory is {dir}.\n{rule}\n\
             Next, in another terminal:\n\n\
             \x20 voight client create acme --data-dir {dir}\n\
             \x20 voight key create --client acme --data-dir {dir}\n"
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;

    #[test]
    fn a_port_in_use_is_named_with_the_flag_that_chooses_another() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let addr = listener.local_addr().unwrap();
        let sentence = bind(addr, "--listen").unwrap_err().message;
        assert!(
            sentence.contains(&addr.port().to_string()) && sentence.contains("--listen"),
            "{sentence}"
        );
    }

    #[test]
    fn a_key_names_the_flag_that_sets_it() {
        let values = [
            ("--listen", "127.0.0.1:1"),
            ("--admin-listen", "127.0.0.1:2"),
            ("--log-format", "json"),
            ("--data-dir", "data"),
            ("--store", "memory:"),
            ("--log", "warn"),
        ];
        let documented_flags = crate::config::flags();
        assert_eq!(documented_flags.len(), values.len());
        for (key, flag) in documented_flags {
            let (_, value) = values.into_iter().find(|(name, _)| *name == flag).unwrap();
            let cli = Cli::try_parse_from(["voight", "serve", flag, value]).unwrap();
            let Command::Serve(serve) = cli.command else {
                panic!("another command")
            };
            let flag_keys: Vec<_> = cli
                .globals
                .flags()
                .into_iter()
                .chain(serve.flags())
                .map(|flag| flag.key)
                .collect();
            assert_eq!(flag_keys, [key], "{flag}");
        }
    }
}
