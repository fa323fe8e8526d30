//! Conclusions of checks.

use super::links;
use crate::PostgresStore;
use crate::common::{self, ContextKey};
use crate::connection::{NO_CLIENT, Transaction};
use crate::error::Error;
use crate::sql::check;
use crate::value::{RowExt, values};
use async_trait::async_trait;
use voight_domain::check::{
    CheckConclusion, ConcludeFacts, ConcludeOutcome, ConcludeWrite, Concluded, conclude,
};
use voight_domain::linkage::LinkFacts;
use voight_domain::ports::{CheckStore, StoreError};
use voight_domain::verdict::{Event, Verdict};
use voight_domain::vocabulary::{CheckId, ClientId, ContextId, EoaAddress, Timestamp};
use voight_encoding::Encode;

#[async_trait]
impl CheckStore for PostgresStore {
    async fn conclude(&self, conclusion: CheckConclusion) -> Result<ConcludeOutcome, StoreError> {
        self.write(conclusion, |transaction, conclusion| {
            Box::pin(conclude_in(transaction, conclusion))
        })
        .await
    }

    async fn concluded(&self, check: CheckId) -> Result<Option<Concluded>, StoreError> {
        self.read(check, |transaction, check| {
            Box::pin(transaction.fetch(check::CONCLUDED, values![*check]))
        })
        .await
    }

    async fn sweep(&self, opened_before: Timestamp, limit: usize) -> Result<usize, StoreError> {
        self.write((opened_before, limit), |transaction, (before, limit)| {
            Box::pin(sweep(transaction, *before, *limit))
        })
        .await
    }

    async fn verdict(
        &self,
        context: &ContextId,
        address: &EoaAddress,
    ) -> Result<Option<Verdict>, StoreError> {
        let arguments = (context.clone(), *address);
        self.read(arguments, |transaction, (context, address)| {
            Box::pin(verdict(transaction, context, *address))
        })
        .await
    }

    async fn timeline(
        &self,
        context: &ContextId,
        address: &EoaAddress,
        limit: usize,
    ) -> Result<Vec<Event>, StoreError> {
        let arguments = (context.clone(), *address, limit);
        self.read(arguments, |transaction, (context, address, limit)| {
            Box::pin(timeline(transaction, context, *address, *limit))
        })
        .await
    }
}

async fn conclude_in(
    transaction: &Transaction,
    request: &CheckConclusion,
) -> Result<ConcludeOutcome, Error> {
    let Some((client, context)) = common::lock_context(transaction, &request.context).await? else {
        let previous_conclusion = transaction
            .fetch(check::CONCLUDED, values![request.check])
            .await?;
        let facts = ConcludeFacts {
            previous_conclusion: previous_conclusion.as_ref(),
            input_seen: false,
            context: None,
            verdict: None,
            links: &LinkFacts::default(),
        };
        return Ok(conclude(request, facts, transaction.now()).outcome);
    };
    let previous_conclusion = transaction
        .fetch(
            check::CONCLUDED_OF_CLIENT,
            values![client, request.check, NO_CLIENT],
        )
        .await?;
    let input_seen = is_seen(transaction, client, request).await?;
    let key = ContextKey {
        client,
        context: &request.context,
    };
    let links = links::facts(transaction, key, &request.link_signals).await?;
    let verdict = common::lock_verdict(transaction, key, request.address).await?;
    let facts = ConcludeFacts {
        previous_conclusion: previous_conclusion.as_ref(),
        input_seen,
        context: Some(&context),
        verdict: verdict.as_ref(),
        links: &links,
    };
    let step = conclude(request, facts, transaction.now());
    if let Some(write) = step.write {
        write_conclusion(transaction, key, request, write).await?;
    }
    Ok(step.outcome)
}

/// Returns `true` if another check of the context has presented one of the inputs.
async fn is_seen(
    transaction: &Transaction,
    client: ClientId,
    request: &CheckConclusion,
) -> Result<bool, Error> {
    if request.inputs.is_empty() {
        return Ok(false);
    }
    let digests: Vec<_> = request
        .inputs
        .iter()
        .map(|digest| digest.0.to_vec())
        .collect();
    let other_input = transaction
        .row(
            check::OTHERS_INPUT,
            values![client, &request.context, digests, request.check],
        )
        .await?;
    Ok(other_input.is_some())
}

async fn write_conclusion(
    transaction: &Transaction,
    key: ContextKey<'_>,
    request: &CheckConclusion,
    write: ConcludeWrite,
) -> Result<(), Error> {
    let ContextKey { client, context } = key;
    let address = write
        .concluded
        .receipt
        .as_ref()
        .map(|receipt| receipt.address);
    transaction.enqueue_write(
        check::ADD_CONCLUDED,
        values![client, request.check, address, write.concluded.encode()],
    );
    if let Some(verdict) = &write.verdict {
        transaction.enqueue_write(
            check::SET_VERDICT,
            values![client, context, request.address, verdict.encode()],
        );
    }
    for digest in &request.inputs {
        transaction.enqueue_write(
            check::ADD_INPUT,
            values![client, context, digest.0, request.check],
        );
    }
    common::append_events(transaction, key, request.address, &write.events).await?;
    links::write_links(transaction, key, &write.links);
    common::append_client_events(transaction, client, write.client_event).await
}

async fn sweep(
    transaction: &Transaction,
    opened_before: Timestamp,
    limit: usize,
) -> Result<usize, Error> {
    // Check ids start with the time at which the check was opened.
    let end = CheckId::new(opened_before, [0; 10]);
    let rows = transaction
        .rows(check::OLD_CONCLUDED, values![end, limit])
        .await?;
    for row in &rows {
        let (client, check): ([u8; 16], [u8; 16]) = (row.byte_array(0)?, row.byte_array(1)?);
        transaction.enqueue_write(check::DROP_CONCLUDED, values![client, check]);
    }
    Ok(rows.len())
}

async fn verdict(
    transaction: &Transaction,
    context: &ContextId,
    address: EoaAddress,
) -> Result<Option<Verdict>, Error> {
    match common::context_owner(transaction, context).await? {
        Some(client) => {
            transaction
                .fetch(check::VERDICT, values![client, context, address])
                .await
        }
        None => Ok(None),
    }
}

async fn timeline(
    transaction: &Transaction,
    context: &ContextId,
    address: EoaAddress,
    limit: usize,
) -> Result<Vec<Event>, Error> {
    let Some(client) = common::context_owner(transaction, context).await? else {
        return Ok(Vec::new());
    };
    let mut latest: Vec<Event> = transaction
        .list(check::TIMELINE, values![client, context, address, limit])
        .await?;
    latest.reverse();
    Ok(latest)
}
