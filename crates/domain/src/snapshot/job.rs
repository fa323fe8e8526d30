//! Job of a snapshot, as a state machine.
//!
//! A job looks up a list of addresses, in ascending order and in slices. It is a draft when all of them are looked up.
//! Finalising a draft reads the verdicts again, also in slices. A store writes the result of a slice in one transaction. An
//! interrupted job therefore continues after the last complete slice, and each address is looked up and billed once.

use super::{SnapshotRow, TokenAmount};
use crate::metering::{
    AddressFacts, CallerFacts, IdempotencyInput, LookupOutcome, LookupWrite, MeterRules, Metering, authorise,
};
use crate::registry::{Context, Key};
use crate::secrets::IdempotencyDigest;
use crate::vocabulary::{ClientId, ContextId, Environment, EoaAddress, KeyId, SnapshotId, Timestamp};
use std::convert::Infallible;

/// Snapshot of the verdicts of a list of addresses in one context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    /// The id.
    pub id: SnapshotId,
    /// The client that pays for the lookups.
    pub client: ClientId,
    /// The environment of the key.
    pub environment: Environment,
    /// The context of the lookups.
    pub context: ContextId,
    /// The key that has requested the snapshot.
    pub key: KeyId,
    /// Digest in the ledger rows of the snapshot, which thereby name their request.
    pub row_digest: IdempotencyDigest,
    /// The source of the addresses.
    pub source: SnapshotSource,
    /// The state.
    pub state: SnapshotState,
    /// Number of recorded lookups, which is the number of rows.
    pub units: u64,
    /// The last address that the current state has processed; `None` before the first one.
    pub cursor: Option<EoaAddress>,
    /// Number of rows whose final answer differs from that of the draft.
    pub changed: u64,
    /// The time of the request.
    pub created_at: Timestamp,
    /// The time at which the draft was complete.
    pub drafted_at: Option<Timestamp>,
    /// The time at which the snapshot became final.
    pub finalized_at: Option<Timestamp>,
}

/// Source of the addresses of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotSource {
    /// All addresses with a verdict in the context.
    Seen,
    /// Addresses that the platform uploads.
    Upload,
}

/// State of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotState {
    /// The addresses are uploaded.
    Uploading,
    /// The addresses are looked up.
    Running,
    /// All addresses are looked up; appeals can still change verdicts.
    Draft,
    /// The verdicts are read again.
    Finalizing,
    /// Nothing changes any more.
    Final,
}

/// Reason why a job does not continue for now. It is tried again later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SnapshotPause {
    /// The key was revoked, has expired, or lacks the scope of lookups.
    KeyRefused,
    /// The client is suspended.
    ClientSuspended,
    /// The key may not use the context any more.
    ContextRefused,
    /// A cap of the client is reached.
    CapReached {
        /// The beginning of the next period.
        resets_at: Timestamp,
    },
}

/// Error of a change that the state of a snapshot does not allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotStateError {
    /// The upload is complete.
    #[error("the upload of this snapshot is complete; create another snapshot")]
    NotUploading,
    /// The snapshot is no draft.
    #[error("only a draft can be finalized, and this snapshot is none")]
    NoDraft,
}

/// Input of a slice of lookups that does not come from the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SliceRequest {
    /// Random bytes from which the nonces of the commitments are derived. Used for this slice only.
    pub nonce_seed: [u8; 32],
    /// The metering rules in force.
    pub rules: MeterRules,
}

/// Listed address with the facts that a store has read about it.
#[derive(Debug, Clone, Copy)]
pub struct ListedAddress<'a> {
    /// The address.
    pub address: EoaAddress,
    /// Reward that the platform has listed.
    pub amount: Option<TokenAmount>,
    /// The facts.
    pub facts: AddressFacts<'a>,
}

/// Changes of a slice, which a store writes atomically.
#[derive(Debug, Clone)]
pub struct SnapshotStep {
    /// The snapshot after the slice.
    pub snapshot: Snapshot,
    /// The rows to store, in ascending order of their addresses.
    pub rows: Vec<SnapshotRow>,
    /// The lookups to record, in order.
    pub writes: Vec<LookupWrite>,
    /// The reason why the job does not continue for now.
    pub pause: Option<SnapshotPause>,
}

impl Snapshot {
    /// Returns the snapshot after its upload.
    pub fn upload_completed(&self) -> Result<Self, SnapshotStateError> {
        match self.state {
            SnapshotState::Uploading => Ok(Self { state: SnapshotState::Running, ..self.clone() }),
            _ => Err(SnapshotStateError::NotUploading),
        }
    }

    /// Returns the snapshot whose verdicts are to be read again. A snapshot that is being finalized, or is final, stays as it
    /// is.
    pub fn finalize(&self) -> Result<Self, SnapshotStateError> {
        match self.state {
            SnapshotState::Draft => Ok(Self { state: SnapshotState::Finalizing, cursor: None, ..self.clone() }),
            SnapshotState::Finalizing | SnapshotState::Final => Ok(self.clone()),
            SnapshotState::Uploading | SnapshotState::Running => Err(SnapshotStateError::NoDraft),
        }
    }

    /// Looks up the next slice of a running snapshot: the listed addresses after [`cursor`](Self::cursor), in ascending order. An
    /// empty slice completes the draft.
    ///
    /// If a cap does not allow the whole slice, its first addresses are recorded.
    pub fn look_up(
        &self,
        request: &SliceRequest,
        caller: CallerFacts<'_>,
        slice: &[ListedAddress<'_>],
        now: Timestamp,
    ) -> SnapshotStep {
        let mut next = self.clone();
        if slice.is_empty() {
            next = Self { state: SnapshotState::Draft, cursor: None, drafted_at: Some(now), ..next };
            return SnapshotStep { snapshot: next, rows: Vec::new(), writes: Vec::new(), pause: None };
        }
        let accepts = |key: &Key| key.id == self.key && key.is_active(now);
        let authorised = authorise(accepts, None, &caller, now, |_| None::<Infallible>);
        let (holder, context) = match authorised {
            Ok(found) => found,
            Err(outcome) => {
                let pause = Some(pause_of(&outcome));
                return SnapshotStep { snapshot: next, rows: Vec::new(), writes: Vec::new(), pause };
            }
        };
        // Rows name the request by their idempotency digest. The job itself is its record.
        let idempotency = Some(IdempotencyInput { key_digest: self.row_digest, fingerprint: self.row_digest });
        let metering = Metering { holder, context, idempotency, rules: &request.rules, now };
        let addresses = slice.iter().map(|listed| (listed.address, listed.facts));
        let recorded = metering.record_all(caller.meter, &request.nonce_seed, addresses);
        let rows: Vec<_> = slice
            .iter()
            .zip(&recorded.answers)
            .map(|(listed, answer)| SnapshotRow {
                address: listed.address,
                answer: *answer,
                detail: listed.facts.detail(holder.key.environment, context, &listed.address),
                amount: listed.amount,
                cluster: None,
                is_over_limit: false,
                draft: None,
            })
            .collect();
        next.units += rows.len() as u64;
        next.cursor = rows.last().map(|row| row.address).or(next.cursor);
        let pause = recorded.resets_at.map(|resets_at| SnapshotPause::CapReached { resets_at });
        SnapshotStep { snapshot: next, rows, writes: recorded.writes, pause }
    }

    /// Reads the verdicts of the next rows of a snapshot that is being finalized. `rows` are those after
    /// [`cursor`](Self::cursor), in ascending order, with the facts about their addresses. An empty slice completes the snapshot.
    pub fn read_again(
        &self,
        context: &Context,
        rows: &[(SnapshotRow, AddressFacts<'_>)],
        now: Timestamp,
    ) -> SnapshotStep {
        let mut next = self.clone();
        if rows.is_empty() {
            next = Self { state: SnapshotState::Final, cursor: None, finalized_at: Some(now), ..next };
        }
        let mut changed = Vec::with_capacity(rows.len());
        for (row, facts) in rows {
            let answer = facts.answer(self.environment, context, &row.address);
            let draft = (answer != row.answer).then_some(row.answer);
            next.changed += u64::from(draft.is_some());
            let detail = facts.detail(self.environment, context, &row.address);
            changed.push(SnapshotRow { answer, detail, draft, ..*row });
            next.cursor = Some(row.address);
        }
        SnapshotStep { snapshot: next, rows: changed, writes: Vec::new(), pause: None }
    }
}

fn pause_of(outcome: &LookupOutcome<Infallible>) -> SnapshotPause {
    match outcome {
        LookupOutcome::ClientSuspended => SnapshotPause::ClientSuspended,
        LookupOutcome::UnknownContext => SnapshotPause::ContextRefused,
        LookupOutcome::CapReached { resets_at, .. } => SnapshotPause::CapReached { resets_at: *resets_at },
        LookupOutcome::InvalidKey | LookupOutcome::ScopeMissing | LookupOutcome::IdempotencyKeyReused => {
            SnapshotPause::KeyRefused
        }
        LookupOutcome::Recorded(never, _) | LookupOutcome::Replayed(never) => match *never {},
    }
}
