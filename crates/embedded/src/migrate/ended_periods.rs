//! Migrates from format 3 to 4: ended periods are stored with their billing data.
//!
//! In format 3 the end of a period was only a row of the ledger. Format 4 also lists ended periods for invoices, and a
//! meter stores the first row of its running period. Both are derived by reading the ledger once.

use super::Migration;
use crate::read_records::{ReadRecords, decode};
use crate::record::ClientRecord;
use crate::table::{self, ClientNumber, KeyRange, Table};
use crate::write_transaction::WriteTransaction;
use crate::{Order, Read, checksum};
use std::ops::ControlFlow;
use voight_domain::metering::{ChainHead, EndedPeriod, MeterState, RowKind};
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Environment::{Live, Sandbox};
use voight_domain::vocabulary::{ClientId, Environment};

pub(super) const MIGRATION: Migration =
    Migration { from: 3, description: "ended periods are listed for invoices", table: Table::Meter, rewrite };

/// Version byte of meters in format 3.
const OLD: u8 = 1;

fn rewrite(step: &mut WriteTransaction<'_>, _: &dyn Read, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
    if checksum::verify(key, value).and_then(<[u8]>::first) != Some(&OLD) {
        return Ok(());
    }
    let meter: MeterState = decode(key, value)?;
    let (tenant, environment) = ledger(key)?;
    let ended = ended_periods(step, tenant, environment)?;
    let last = ended.last();
    let first = last.map_or(1, |period| period.last_seq + 1);
    let meter =
        MeterState { period_first_seq: first, previous_period_end: last.map(|period| period.period.end), ..meter };
    for period in ended {
        step.put(table::ended_period(tenant, environment, period.last_seq), &period);
    }
    step.put(table::meter(tenant, environment), &meter);
    Ok(())
}

/// Returns the ended periods of a ledger, derived from its period-end rows.
fn ended_periods(
    view: &impl ReadRecords,
    tenant: ClientNumber,
    environment: Environment,
) -> Result<Vec<EndedPeriod>, StoreError> {
    let mut head = ChainHead::genesis(client(view, tenant)?, environment);
    let (mut first, mut ended) = (1, Vec::new());
    view.scan(&table::rows(tenant, environment), Order::Ascending, |_, row| {
        head = head.extend(&row.to_bytes());
        if let RowKind::PeriodEnd(end) = row.kind {
            let (period, billable, paid, book, last) = (end.period, end.billable, end.paid, end.book, row.seq);
            ended.push(EndedPeriod {
                period,
                first_seq: first,
                last_seq: last,
                head,
                billable,
                charged: paid,
                book,
                invoice: None,
                last_voided_invoice: None,
            });
            first = last + 1;
        }
        ControlFlow::Continue(())
    })?;
    Ok(ended)
}

/// Returns the id of the client with this number.
fn client(view: &impl ReadRecords, tenant: ClientNumber) -> Result<ClientId, StoreError> {
    let mut found = None;
    view.scan(&KeyRange::<ClientRecord>::all(), Order::Ascending, |_, client| {
        if client.tenant == tenant {
            found = Some(client.client.id);
        }
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    found.ok_or_else(|| StoreError::Corrupt("a meter has no client".to_owned()))
}

fn ledger(key: &[u8]) -> Result<(ClientNumber, Environment), StoreError> {
    match table::tail(key) {
        Some([a, b, c, d, 0]) => Ok((ClientNumber(u32::from_be_bytes([a, b, c, d])), Live)),
        Some([a, b, c, d, 1]) => Ok((ClientNumber(u32::from_be_bytes([a, b, c, d])), Sandbox)),
        _ => Err(checksum::corrupt_record(Table::Meter.name(), key, "its key names no ledger")),
    }
}
