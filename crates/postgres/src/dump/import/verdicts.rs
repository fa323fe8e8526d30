//! Import of records of contexts and checks.

use super::{Importer, KeyFields};
use crate::connection::NO_CLIENT;
use crate::error::Error;
use crate::sql::copy_in::CopyTarget;
use crate::value::{Value, decode, values};
use voight_domain::check::{Concluded, EvidenceBatch};
use voight_encoding::keyspace::{EvidenceSummary, PresentedInputIndex, Table};

/// Value in place of the cluster kind, in the key of an address that an operator assigned to a cluster.
const ASSIGNED: u64 = 255;

impl Importer {
    /// Returns the client and the id of the context that a record key starts with.
    fn context_and_address(&self, at: KeyFields<'_>) -> Result<[Value; 2], Error> {
        let found = self.contexts.get(&(at.number(0)?, at.number(1)?));
        let (client, context) = found.ok_or_else(|| Error::damaged("there is no context with its number"))?;
        Ok([Value::from(*client), Value::from(&**context)])
    }

    /// Adds a record of a context about an address, an input or a tombstone.
    pub(super) fn of_context(&mut self, table: Table, at: KeyFields<'_>, record: &[u8]) -> Result<(), Error> {
        let [client, context] = self.context_and_address(at)?;
        let subject = at.value(2)?;
        match table {
            Table::Verdict => self.row(CopyTarget::Verdict, vec![client, context, subject, record.into()]),
            Table::Event => self.row(CopyTarget::Event, vec![client, context, subject, at.value(3)?, record.into()]),
            Table::PresentedInput => {
                let PresentedInputIndex(check) = decode(record)?;
                self.row(CopyTarget::Input, vec![client, context, subject, check.into()])
            }
            Table::Tombstone => self.row(CopyTarget::Tombstone, vec![client, context, subject, record.into()]),
            _ => self.row(CopyTarget::Label, vec![client, context, subject, record.into()]),
        }
    }

    /// Adds a movement fingerprint page, a cluster or an assignment.
    pub(super) fn links(&mut self, table: Table, at: KeyFields<'_>, record: &[u8]) -> Result<(), Error> {
        let [client, context] = self.context_and_address(at)?;
        let number = at.number(2)?;
        match (table, number) {
            (Table::FingerprintPage, _) => {
                self.row(CopyTarget::Trace, vec![client, context, number.into(), record.into()])
            }
            (_, ASSIGNED) => self.row(CopyTarget::Assigned, vec![client, context, at.value(3)?, record.into()]),
            _ => self.row(CopyTarget::Cluster, vec![client, context, number.into(), at.value(3)?, record.into()]),
        }
    }

    /// Adds a record of a check.
    pub(super) fn of_check(&mut self, table: Table, at: KeyFields<'_>, record: &[u8]) -> Result<(), Error> {
        let check = at.value(0)?;
        match table {
            Table::Concluded => {
                // Without a receipt, a dump does not contain the client of a check.
                let receipt = decode::<Concluded>(record)?.receipt;
                let client = receipt.as_ref().and_then(|receipt| self.owners.get(&receipt.context).copied());
                let client = client.map_or_else(|| Value::from(NO_CLIENT), Value::from);
                let address = receipt.map(|receipt| receipt.address);
                self.row(CopyTarget::Concluded, vec![client, check, address.into(), record.into()])
            }
            Table::EvidenceHead => {
                let EvidenceSummary { opened_at, keep_until, bytes, judged, share } = decode(record)?;
                let row = [vec![check], values![opened_at, keep_until, bytes, judged, share.to_bytes()]].concat();
                self.row(CopyTarget::EvidenceCheck, row)
            }
            _ => {
                let batch: EvidenceBatch = decode(record)?;
                let row = values![batch.number, batch.challenge.address, record];
                self.row(CopyTarget::EvidenceBatch, [vec![check], row].concat())
            }
        }
    }
}
