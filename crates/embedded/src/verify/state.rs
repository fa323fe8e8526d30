//! State of a verification across records.

use super::key::{number, parse_ledger_key};
use super::{corrupt, ensure};
use crate::read_records::ReadRecords;
use crate::record::ClientRecord;
use crate::table::{self, ClientNumber, KeyRange, RecordKey, Table};
use std::collections::HashMap;
use std::ops::ControlFlow;
use voight_domain::metering::{ChainHead, MeterState};
use voight_domain::ports::StoreError;
use voight_domain::registry::AuditHead;
use voight_domain::vocabulary::{ClientId, Environment};
use voight_engine::{Order, Read};

/// State of a verification across records.
#[derive(Debug, Default)]
pub(crate) struct VerifyState {
    /// Ids of the clients by number.
    pub(super) clients: HashMap<u32, ClientId>,
    /// Ledger that is being verified.
    pub(super) chain: Option<LedgerState>,
    /// State of the audit log.
    pub(super) audit: AuditLogState,
    /// Last key that ends in a consecutive number.
    numbered: Option<Vec<u8>>,
}

impl VerifyState {
    /// Returns the id of a client. Clients that were created after their table was scanned are looked up.
    pub(super) fn client(
        &mut self,
        view: &impl Read,
        client_number: ClientNumber,
    ) -> Result<ClientId, StoreError> {
        if let Some(id) = self.clients.get(&client_number.0) {
            return Ok(*id);
        }
        let mut client_id = None;
        view.scan(
            &KeyRange::<ClientRecord>::all(),
            Order::Ascending,
            |_, client| {
                if client.client_number == client_number {
                    client_id = Some(client.client.id);
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            },
        )?;
        let id = client_id.ok_or_else(|| corrupt("there is no client with its number"))?;
        self.clients.insert(client_number.0, id);
        Ok(id)
    }

    /// Checks that the number at the end of `key` is consecutive. It must be one more than in the previous key with the same
    /// prefix, or 1.
    pub(super) fn counts_up(&mut self, key: &[u8]) -> Result<(), StoreError> {
        let (group, number) = key
            .split_last_chunk::<8>()
            .ok_or_else(|| corrupt("its key is too short"))?;
        let last = self.numbered.replace(key.to_vec());
        let last = last
            .as_deref()
            .and_then(<[u8]>::split_last_chunk::<8>)
            .filter(|(last_group, _)| *last_group == group);
        let next_number = last
            .map_or(0, |(_, last)| u64::from_be_bytes(*last))
            .saturating_add(1);
        ensure(
            u64::from_be_bytes(*number) == next_number,
            "one or more before it are missing",
        )
    }

    /// Records after a damaged one are not reported as damaged because of it.
    pub(super) fn after_damage(&mut self, table: Table, key: &[u8]) {
        match table {
            Table::Row => self.chain = LedgerState::after_damage(self.chain.take(), key),
            Table::Event => self.numbered = Some(key.to_vec()),
            Table::Audit => self.audit.after_damage(key),
            _ => {}
        }
    }

    /// Returns the key of the meter and the result of its comparison when the verification leaves a ledger. `None` if
    /// it was in none, or `key` is still in it.
    pub(super) fn leave_ledger(
        &self,
        view: &impl Read,
        key: Option<&[u8]>,
    ) -> Option<(Vec<u8>, Result<(), StoreError>)> {
        let chain = self
            .chain
            .as_ref()
            .filter(|chain| !key.is_some_and(|key| chain.continues_with(key)))?;
        Some((chain.meter().key, chain.ensure_matches_meter(view)))
    }

    pub(super) fn forget_ledger(&mut self) {
        self.chain = None;
    }
}

/// State of the verification of the audit log.
#[derive(Debug)]
pub(super) struct AuditLogState {
    /// Number of the last entry.
    pub(super) seq: u64,
    /// Head after that entry; `None` after a damaged entry, where it is unknown.
    pub(super) head: Option<ChainHead>,
}

impl Default for AuditLogState {
    fn default() -> Self {
        let AuditHead { seq, head } = AuditHead::genesis();
        Self {
            seq,
            head: Some(head),
        }
    }
}

impl AuditLogState {
    /// Continues after a damaged or inconsistent entry.
    pub(super) fn after_damage(&mut self, key: &[u8]) {
        *self = Self {
            seq: number(key).unwrap_or(self.seq),
            head: None,
        };
    }
}

/// State of the ledger that is being verified.
#[derive(Debug)]
pub(super) struct LedgerState {
    pub(super) client_number: ClientNumber,
    pub(super) environment: Environment,
    /// Number of the last row.
    pub(super) seq: u64,
    /// Head after that row; `None` after a damaged row, where it is unknown.
    pub(super) head: Option<ChainHead>,
}

impl LedgerState {
    /// Returns the state after a damaged or inconsistent row.
    pub(super) fn after_damage(before: Option<Self>, key: &[u8]) -> Option<Self> {
        let (client_number, environment, seq) = parse_ledger_key(key).ok()?;
        let same = before.filter(|chain| {
            chain.client_number == client_number && chain.environment == environment
        });
        // The number never decreases, so that a row is not expected twice.
        let seq = same.map_or(seq, |chain| chain.seq.max(seq));
        Some(Self {
            client_number,
            environment,
            seq,
            head: None,
        })
    }

    /// Returns `true` if `key` belongs to the same ledger.
    pub(super) fn continues_with(&self, key: &[u8]) -> bool {
        let rows = table::rows(self.client_number, self.environment);
        rows.from.as_slice() <= key && key < rows.to.as_slice()
    }

    /// Returns the key of the ledger's meter.
    pub(super) fn meter(&self) -> RecordKey<MeterState> {
        table::meter(self.client_number, self.environment)
    }

    /// Checks that the meter matches the last row.
    pub(super) fn ensure_matches_meter(&self, view: &impl Read) -> Result<(), StoreError> {
        let meter = view
            .fetch(&self.meter())?
            .ok_or_else(|| corrupt("the meter of a ledger with rows is missing"))?;
        ensure(
            meter.seq == self.seq,
            "the ledger ends before or after where its meter says",
        )?;
        ensure(
            self.head.is_none_or(|head| head == meter.head),
            "the ledger's chain does not end in the meter's head",
        )
    }
}
