//! Header of an export, its first line.

use crate::jwk::KeySet;
use crate::text::parsed;
use serde::{Deserialize, Serialize};
use voight_domain::ledger_audit::{ExportHeader, FORMAT};

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HeaderJson {
    format: u32,
    store: String,
    client: ClientText,
    environment: String,
    exported_at: String,
    seq: u64,
    head: String,
    signed_head: String,
    keys: KeySet,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClientText {
    id: String,
    name: String,
}

impl From<&ExportHeader> for HeaderJson {
    fn from(header: &ExportHeader) -> Self {
        Self {
            format: FORMAT,
            store: header.store.clone(),
            client: ClientText {
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

    fn try_from(text: HeaderJson) -> Result<Self, Self::Error> {
        Ok(Self {
            store: text.store,
            client: parsed("client.id", &text.client.id)?,
            name: text.client.name,
            environment: parsed("environment", &text.environment)?,
            exported_at: parsed("exported_at", &text.exported_at)?,
            seq: text.seq,
            head: parsed("head", &text.head)?,
            signed_head: text.signed_head,
            keys: text.keys.try_into()?,
        })
    }
}
