//! From format 3 to 4: periods are kept with what they are billed by, and their ends are listed.
//!
//! In format 3 the end of a period was a row of the ledger only. In format 4 it is listed besides, for invoices, and a meter
//! says where its running period begins. Both are found by going through the ledger once more.

use super::Migration;
use crate::record::ClientRecord;
use crate::step::WriteTransaction;
use crate::table::{self, ClientNumber, KeyRange, Table};
use crate::typed::{ReadRecords, decode};
use crate::{Order, Read, envelope};
use std::ops::ControlFlow;
use voight_domain::metering::{ChainHead, EndedPeriod, MeterState, RowKind};
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Environment::{Live, Sandbox};
use voight_domain::vocabulary::{ClientId, Environment};

pub(super) const MIGRATION: Migration =
    Migration { from: 3, description: "ended periods are listed for invoices", table: Table::Meter, rewrite };

/// The version byte of meters in format 3.
const OLD: u8 = 1;

fn rewrite(step: &mut WriteTransaction<'_>, _: &dyn Read, key: &[u8], value: &[u8]) -> Result<(), StoreError> {
    if envelope::verify(key, value).and_then(<[u8]>::first) != Some(&OLD) {
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

/// The ended periods of a ledger, as its markers tell.
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

/// The id of the client with this number.
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
        _ => Err(envelope::corrupt_record(Table::Meter.name(), key, "its key names no ledger")),
    }
}
