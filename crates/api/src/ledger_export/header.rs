//! Header of an export, its first line.

use crate::jwk::KeySet;
use crate::text::parsed;
use serde::{Deserialize, Serialize};
use voight_domain::ledger_audit::{ExportHeader, FORMAT};

/// Wire format of [`ExportHeader`].
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeaderJson {
    format: u32,
    store: String,
    client: ClientJson,
    environment: String,
    exported_at: String,
    seq: u64,
    head: String,
    signed_head: String,
    keys: KeySet,
}

/// Client whose ledger is exported.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClientJson {
    id: String,
    name: String,
}

impl From<&ExportHeader> for HeaderJson {
    fn from(header: &ExportHeader) -> Self {
        Self {
            format: FORMAT,
            store: header.store.clone(),
            client: ClientJson {
                id: header.client.to_string(),
                name: header.name.clone(),
            },
            environment: header.environment.label().to_owned(),
            exported_at: header.exported_at.to_string(),
            seq: header.seq,
            head: header.head.to_string(),
            signed_head: header.signed_head.clone(),
            keys: KeySet::from(&header.keys),
        }
    }
}

impl TryFrom<HeaderJson> for ExportHeader {
    type Error = String;

    fn try_from(json: HeaderJson) -> Result<Self, Self::Error> {
        Ok(Self {
            store: json.store,
            client: parsed("client.id", &json.client.id)?,
            name: json.client.name,
            environment: parsed("environment", &json.environment)?,
            exported_at: parsed("exported_at", &json.exported_at)?,
            seq: json.seq,
            head: parsed("head", &json.head)?,
            signed_head: json.signed_head,
            keys: json.keys.try_into()?,
        })
    }
}
