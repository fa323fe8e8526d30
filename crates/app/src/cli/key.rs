//! `voight key`.

mod revoke;
mod rotate;

use super::instant::parse_instant;
use super::invocation::Invocation;
use super::paging::Paging;
use crate::exit::{CommandError, Exit};
use crate::output::{Table, day, list, minute, optional};
use clap::{Args, Subcommand};
use ipnet::IpNet;
use voight_api::admin::{IssuedKey, Key, NewKey, routes};
use voight_domain::vocabulary::{KeyLabel, Network};
use voight_domain::{Scope, Timestamp};

/// Commands of `voight key`.
#[derive(Debug, Subcommand)]
pub(super) enum KeyCommand {
    /// Issue an API key. Its secret is printed only once
    Create(Create),
    /// List keys
    List {
        /// List only keys of this client: its name or id
        #[arg(long, value_name = "CLIENT")]
        client: Option<String>,
        #[command(flatten)]
        paging: Paging,
    },
    /// Replace the secret of a key. The old secret stays valid for an overlap, 24h by default, or ends now
    Rotate(rotate::Rotate),
    /// Revoke a key. All its secrets become invalid immediately
    Revoke(revoke::Revoke),
}

/// Arguments of `voight key create`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  voight key create --client acme --label backend
  voight key create --client acme --test
  voight key create --client acme --scope lookup:read --network 192.0.2.0/24 --expires 2027-01-01
  voight key create --client acme --plain > api.key")]
pub(super) struct Create {
    /// Client that owns the key: its name or id
    #[arg(long, value_name = "CLIENT")]
    client: String,
    /// Issue a sandbox key: test addresses with fixed verdicts, no billing
    #[arg(long)]
    test: bool,
    /// Scopes, separated by commas or spaces: context:register, lookup:read, usage:read, events:read,
    /// webhooks:write
    /// [default: all]
    #[arg(long = "scope", value_name = "SCOPE", num_args = 1.., value_delimiter = ',')]
    scopes: Vec<Scope>,
    /// Networks that may use the key, for example 192.0.2.0/24 [default: any]
    #[arg(long = "network", value_name = "CIDR", num_args = 1.., value_delimiter = ',')]
    networks: Vec<Network>,
    /// Expiry: a date (UTC) or a time, for example 2027-01-01 [default: never]
    #[arg(long, value_name = "TIME", value_parser = parse_instant)]
    expires: Option<Timestamp>,
    /// Label that distinguishes the key, 1 to 64 characters
    #[arg(long, value_name = "TEXT")]
    label: Option<KeyLabel>,
    /// Print only the secret
    #[arg(long)]
    plain: bool,
}

impl KeyCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let session = invocation.session()?;
        let output = invocation.output;
        match self {
            Self::Create(create) => {
                let plain = create.plain;
                if plain && output.is_json() {
                    return Err(CommandError::new(
                        Exit::Usage,
                        "--plain and --json are two forms of output; choose one",
                    ));
                }
                let issued_key = session
                    .client()
                    .send(&routes::ISSUE_KEY.call([]), &create.body())?;
                if plain {
                    return output.data(&issued_key, |issued_key| issued_key.key.clone());
                }
                output.data(&issued_key, issued_record)?;
                output.note("Keep the key now: it cannot be shown again.");
            }
            Self::List { client, paging } => {
                let call = routes::LIST_KEYS
                    .call([])
                    .with_query("client", client.as_deref());
                paging
                    .read(session.client(), &call)?
                    .print(invocation, table)?;
            }
            Self::Rotate(rotate) => return rotate.run(invocation, &session),
            Self::Revoke(revoke) => return revoke.run(invocation, &session),
        }
        Ok(())
    }
}

impl Create {
    fn body(self) -> NewKey {
        let texts = |values: Vec<String>| Some(values).filter(|values| !values.is_empty());
        NewKey {
            client: self.client,
            test: self.test,
            scopes: texts(self.scopes.iter().map(ToString::to_string).collect()),
            networks: texts(
                self.networks
                    .into_iter()
                    .map(|network| IpNet::from(network).to_string())
                    .collect(),
            ),
            expires_at: self.expires.map(|expires| expires.to_string()),
            label: self.label.map(|label| label.to_string()),
        }
    }
}

fn issued_record(key: &IssuedKey) -> Table {
    let mut table = Table::default();
    table.row(["key", &key.key]);
    table.row(["key id", &key.key_id]);
    table.row(["label", &optional(key.label.as_deref())]);
    table.row(["client id", &key.client_id]);
    table.row(["environment", &key.environment]);
    table.row(["scopes", &list(&key.scopes)]);
    table.row(["networks", &list(&key.networks)]);
    table.row(["expires", &optional(key.expires_at.as_deref())]);
    table
}

fn table(keys: &[Key]) -> Table {
    let headings = [
        "KEY ID",
        "LABEL",
        "SECRET",
        "SCOPES",
        "NETWORKS",
        "LAST USED",
        "STATE",
    ];
    let mut table = Table::new(headings).with_narrowed([4, 3, 1]);
    for key in keys {
        table.row([
            key.key_id.clone(),
            optional(key.label.as_deref()),
            format!("{}…", key.prefix),
            if key.scopes.len() == Scope::ALL.len() {
                "all".to_owned()
            } else {
                list(&key.scopes)
            },
            list(&key.networks),
            key.last_used_at
                .as_deref()
                .map_or_else(|| "-".to_owned(), minute),
            state(key),
        ]);
    }
    table
}

/// Formats the state of a key for a list.
fn state(key: &Key) -> String {
    match (&key.revoked_at, &key.expires_at) {
        (Some(revoked), _) => format!("revoked {}", day(revoked)),
        (None, Some(expires)) => format!("to {}", day(expires)),
        (None, None) => "active".to_owned(),
    }
}
