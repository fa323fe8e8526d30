//! Import of records of contexts and checks.

use super::{Importer, KeyFields};
use crate::connection::NO_CLIENT;
use crate::error::Error;
use crate::sql::tables::SqlTable;
use crate::value::{Value, decode, values};
use voight_domain::check::Concluded;
use voight_encoding::keyspace::{EvidenceSummary, PresentedInputIndex};

/// Value in place of the cluster kind, in the key of an address that an operator assigned to a cluster.
const ASSIGNED: u64 = 255;

impl Importer {
    /// Returns the client and the id of the context that a record key starts with.
    pub(super) fn context_columns(&self, key_fields: KeyFields<'_>) -> Result<[Value; 2], Error> {
        let context = self
            .contexts
            .get(&(key_fields.number(0)?, key_fields.number(1)?));
        let (client, context) =
            context.ok_or_else(|| Error::damaged("there is no context with its number"))?;
        Ok([Value::from(*client), Value::from(&**context)])
    }

    pub(super) fn presented_input(
        &mut self,
        at: KeyFields<'_>,
        record: &[u8],
    ) -> Result<(), Error> {
        let [client, context] = self.context_columns(at)?;
        let PresentedInputIndex(check) = decode(record)?;
        self.rows.add(
            SqlTable::PresentedInput,
            vec![client, context, at.value(2)?, check.into()],
        );
        Ok(())
    }

    /// Adds a cluster, or the assignment of an address to one.
    pub(super) fn cluster(
        &mut self,
        key_fields: KeyFields<'_>,
        record: &[u8],
    ) -> Result<(), Error> {
        let [client, context] = self.context_columns(key_fields)?;
        let kind = key_fields.number(2)?;
        let digest = key_fields.value(3)?;
        if kind == ASSIGNED {
            self.rows.add(
                SqlTable::AssignedCluster,
                vec![client, context, digest, record.into()],
            );
        } else {
            self.rows.add(
                SqlTable::Cluster,
                vec![client, context, kind.into(), digest, record.into()],
            );
        }
        Ok(())
    }

    /// Adds a conclusion. Without a receipt, a dump does not contain the client of a check.
    pub(super) fn concluded(
        &mut self,
        key_fields: KeyFields<'_>,
        record: &[u8],
    ) -> Result<(), Error> {
        let receipt = decode::<Concluded>(record)?.receipt;
        let client = receipt
            .as_ref()
            .and_then(|receipt| self.owners.get(&receipt.context).copied());
        let client = client.map_or_else(|| Value::from(NO_CLIENT), Value::from);
        let address = receipt.map(|receipt| receipt.address);
        self.rows.add(
            SqlTable::Concluded,
            vec![client, key_fields.value(0)?, address.into(), record.into()],
        );
        Ok(())
    }

    pub(super) fn evidence_head(
        &mut self,
        key_fields: KeyFields<'_>,
        record: &[u8],
    ) -> Result<(), Error> {
        let EvidenceSummary {
            opened_at,
            keep_until,
            bytes,
            judged,
            share,
        } = decode(record)?;
        let row = [
            vec![key_fields.value(0)?],
            values![opened_at, keep_until, bytes, judged, share.to_bytes()],
        ]
        .concat();
        self.rows.add(SqlTable::EvidenceHead, row);
        Ok(())
    }
}
