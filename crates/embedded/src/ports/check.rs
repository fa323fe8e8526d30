//! Concludes checks.

use super::links;
use crate::common;
use crate::read_records::ReadRecords;
use crate::record::{ContextLocation, PresentedInputIndex};
use crate::write_transaction::WriteTransaction;
use crate::{EmbeddedStore, table};
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::check::{
    CheckConclusion, ConcludeFacts, ConcludeOutcome, ConcludeWrite, Concluded, InputDigest,
    conclude,
};
use voight_domain::linkage::LinkFacts;
use voight_domain::ports::{CheckStore, StoreError};
use voight_domain::verdict::{Event, Verdict};
use voight_domain::vocabulary::{CheckId, ContextId, EoaAddress, Timestamp};
use voight_engine::{Engine, Order};

#[async_trait]
impl<E: Engine> CheckStore for EmbeddedStore<E> {
    async fn conclude(&self, conclusion: CheckConclusion) -> Result<ConcludeOutcome, StoreError> {
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| conclude_in(transaction, &conclusion, clock.now()))
            .await
    }

    async fn concluded(&self, check: CheckId) -> Result<Option<Concluded>, StoreError> {
        self.main.read(|view| view.fetch(&table::concluded(check)))
    }

    async fn sweep(&self, opened_before: Timestamp, limit: usize) -> Result<usize, StoreError> {
        self.main
            .write(move |transaction| sweep(transaction, opened_before, limit))
            .await
    }

    async fn verdict(
        &self,
        context: &ContextId,
        address: &EoaAddress,
    ) -> Result<Option<Verdict>, StoreError> {
        self.main
            .read(|view| match view.fetch(&table::context_key(context))? {
                Some(context_key) => view.fetch(&table::verdict(context_key, address)),
                None => Ok(None),
            })
    }

    async fn timeline(
        &self,
        context: &ContextId,
        address: &EoaAddress,
        limit: usize,
    ) -> Result<Vec<Event>, StoreError> {
        self.main.read(|view| {
            let Some(context_key) = view.fetch(&table::context_key(context))? else {
                return Ok(Vec::new());
            };
            let timeline = table::timeline(context_key, address);
            let mut latest = view.collect(&timeline, Order::Descending, limit, |_, event| event)?;
            latest.reverse();
            Ok(latest)
        })
    }
}

fn conclude_in(
    transaction: &mut WriteTransaction<'_>,
    request: &CheckConclusion,
    now: Timestamp,
) -> Result<ConcludeOutcome, StoreError> {
    let previous_conclusion = transaction.fetch(&table::concluded(request.check))?;
    let context = common::context(transaction, &request.context)?;
    let (verdict, input_seen, links) = match &context {
        Some((context_key, _)) => (
            transaction.fetch(&table::verdict(*context_key, &request.address))?,
            any_seen(transaction, *context_key, request.check, &request.inputs)?,
            links::facts(transaction, *context_key, &request.link_signals)?,
        ),
        None => (None, false, LinkFacts::default()),
    };
    let facts = ConcludeFacts {
        previous_conclusion: previous_conclusion.as_ref(),
        input_seen,
        context: context.as_ref().map(|(_, context)| context),
        verdict: verdict.as_ref(),
        links: &links,
    };
    let step = conclude(request, facts, now);
    if let (Some(write), Some((context_key, _))) = (step.write, context) {
        write_conclusion(transaction, request, write, context_key, now)?;
    }
    Ok(step.outcome)
}

fn sweep(
    transaction: &mut WriteTransaction<'_>,
    opened_before: Timestamp,
    limit: usize,
) -> Result<usize, StoreError> {
    let old = table::concluded_before(opened_before);
    let old = transaction.collect(&old, Order::Ascending, limit, |key, _| {
        table::tail(key).map(CheckId::from_bytes)
    })?;
    for check in old.iter().flatten() {
        transaction.remove(table::concluded(*check));
    }
    Ok(old.len())
}

/// Returns `true` if another check of the context has presented one of the inputs.
fn any_seen(
    transaction: &WriteTransaction<'_>,
    context_key: ContextLocation,
    check: CheckId,
    inputs: &[InputDigest],
) -> Result<bool, StoreError> {
    for digest in inputs {
        if transaction
            .fetch(&table::input(context_key, *digest))?
            .is_some_and(|owner| owner.0 != check)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

fn write_conclusion(
    transaction: &mut WriteTransaction<'_>,
    request: &CheckConclusion,
    write: ConcludeWrite,
    context_key: ContextLocation,
    now: Timestamp,
) -> Result<(), StoreError> {
    transaction.put(table::concluded(request.check), &write.concluded);
    if let Some(verdict) = &write.verdict {
        transaction.put(table::verdict(context_key, &request.address), verdict);
    }
    for digest in &request.inputs {
        let at = table::input(context_key, *digest);
        // The first check to present an input remains its owner.
        if !transaction.holds(&at)? {
            transaction.put(at, &PresentedInputIndex(request.check));
        }
    }
    links::write_links(transaction, context_key, &write.links);
    common::append_client_event(
        transaction,
        context_key.client_number,
        write.client_event,
        now,
    )?;
    write.events.iter().try_for_each(|event| {
        common::append_event(transaction, context_key, &request.address, event)
    })
}
