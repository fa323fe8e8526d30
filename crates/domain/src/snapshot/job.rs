//! Job of a snapshot, as a state machine.
//!
//! A list of addresses is stored in slices, sorted. A job looks the slices up one after the other, and the snapshot is a
//! draft when all of them are looked up. Finalising a draft reads the verdicts again, also slice by slice. A store writes
//! each change in one transaction. An interrupted job therefore continues with the first slice that is not complete, and
//! each address is looked up and billed once.

use super::{ListedAddress, RewardRule, SnapshotRow, SnapshotSlice};
use crate::metering::{
    AddressFacts, CallerFacts, ChainHead, IdempotencyInput, LedgerId, LookupOutcome, LookupWrite,
    MeterRules, Metering, authorise,
};
use crate::registry::{Context, Key};
use crate::secrets::{AddressDigest, DigestKey, IdempotencyDigest};
use crate::vocabulary::{
    ClientId, ContextId, Environment, EoaAddress, KeyId, SnapshotId, Timestamp,
};
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
    /// The rule of the rewards.
    pub rewards: RewardRule,
    /// The time of the request.
    pub created_at: Timestamp,
    /// The state of the job.
    pub progress: SnapshotProgress,
}

/// Progress of the job of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotProgress {
    /// The state.
    pub state: SnapshotState,
    /// The reason why the job does not continue for now.
    pub pause: Option<SnapshotPause>,
    /// Number of uploads that were begun.
    pub attempt: u32,
    /// Number of slices of the complete list.
    pub slices: u32,
    /// Number of stored slices, which may include those of an interrupted upload.
    pub stored_slices: u32,
    /// Number of addresses of the complete list.
    pub addresses: u64,
    /// The first slice that the current state has not completely processed.
    pub next_slice: u32,
    /// Number of recorded lookups.
    pub units: u64,
    /// Sequence number and chain head of the last recorded lookup.
    pub last_row: Option<(u64, ChainHead)>,
    /// Number of rows whose final answer differs from that of the draft.
    pub changed: u64,
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
    KeyRejected,
    /// The client is suspended.
    ClientSuspended,
    /// The key may not use the context any more.
    ContextRejected,
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
    #[error("the upload of this snapshot is complete; create another snapshot for other addresses")]
    NotUploading,
    /// Another upload of the same snapshot has begun.
    #[error("another upload of this snapshot has begun; upload the addresses once")]
    UploadReplaced,
    /// The snapshot is not a draft.
    #[error("only a draft can be finalized; wait until the state is `draft`")]
    NoDraft,
}

/// Change of a snapshot, which a store applies in one transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SnapshotChange {
    /// Begins an upload. An interrupted one has no effect.
    BeginUpload,
    /// Stores a slice of the upload.
    Append {
        /// The number of the upload.
        attempt: u32,
        /// The index of the slice.
        index: u32,
        /// The addresses, in ascending order and after those of the slices before.
        addresses: Vec<ListedAddress>,
    },
    /// Completes the upload.
    CompleteUpload {
        /// The number of the upload.
        attempt: u32,
        /// The number of its slices.
        slices: u32,
        /// The number of its addresses.
        addresses: u64,
    },
    /// Continues the job by one slice. Without effect on a snapshot whose job is not running.
    Continue(SliceInput),
    /// Finalises a draft. Without effect on a snapshot that is being finalised or is final.
    Finalize,
}

/// Input of a slice that does not come from the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SliceInput {
    /// Random bytes from which the nonces of the commitments are derived. Used for this slice only.
    pub nonce_seed: [u8; 32],
    /// The key of the digests under which tombstones of the addresses are stored.
    pub address_key: DigestKey,
    /// The metering rules in force.
    pub rules: MeterRules,
}

/// Facts that a store has read for a change, inside its transaction.
#[derive(Debug, Clone)]
pub struct SnapshotFacts<'a> {
    /// The caller: the key of the snapshot, its context and the meter.
    pub caller: CallerFacts<'a>,
    /// The slice of [`Snapshot::slice_to_process`].
    pub slice: SnapshotSlice,
    /// The facts about [`SnapshotSlice::addresses`], in their order.
    pub addresses: Vec<AddressFacts<'a>>,
}

/// Changes that a store writes atomically.
#[derive(Debug, Clone)]
pub struct SnapshotStep {
    /// The snapshot after the change.
    pub snapshot: Snapshot,
    /// The slice to store, with its index.
    pub slice: Option<(u32, SnapshotSlice)>,
    /// The lookups to record, in order.
    pub writes: Vec<LookupWrite>,
}

impl SnapshotProgress {
    /// Progress of a new snapshot.
    pub const BEGINNING: Self = Self {
        state: SnapshotState::Uploading,
        pause: None,
        attempt: 0,
        slices: 0,
        stored_slices: 0,
        addresses: 0,
        next_slice: 0,
        units: 0,
        last_row: None,
        changed: 0,
        drafted_at: None,
        finalized_at: None,
    };
}

impl SnapshotState {
    /// Returns `true` if slices are processed.
    pub const fn is_running(self) -> bool {
        matches!(self, Self::Running | Self::Finalizing)
    }

    /// Returns `true` if all rows of the snapshot can be read.
    pub const fn is_readable(self) -> bool {
        matches!(self, Self::Draft | Self::Final)
    }
}

impl Snapshot {
    /// Returns the ledger of the lookups.
    pub const fn ledger(&self) -> LedgerId {
        LedgerId {
            client: self.client,
            environment: self.environment,
        }
    }

    /// Returns `true` if the job of the snapshot has work to do: to list the addresses of its context, or to process slices.
    pub fn has_work(&self) -> bool {
        let is_listing =
            self.progress.state == SnapshotState::Uploading && self.source == SnapshotSource::Seen;
        is_listing || self.progress.state.is_running()
    }

    /// Returns the index of the slice that a change processes; `None` if it processes none.
    pub fn slice_to_process(&self, change: &SnapshotChange) -> Option<u32> {
        let SnapshotProgress {
            state,
            next_slice,
            slices,
            ..
        } = self.progress;
        (matches!(change, SnapshotChange::Continue(_)) && state.is_running() && next_slice < slices)
            .then_some(next_slice)
    }

    /// Returns the digest under which a tombstone of the address is stored.
    pub fn address_digest(&self, input: &SliceInput, address: &EoaAddress) -> AddressDigest {
        input.address_key.address_digest(&self.context, address)
    }

    /// Decides a change at `now`. Pure: a store reads the facts and writes the result in one transaction.
    ///
    /// Returns `None` if the change has no effect.
    ///
    /// # Errors
    ///
    /// The state of the snapshot does not allow the change.
    pub fn decide(
        &self,
        change: &SnapshotChange,
        facts: &SnapshotFacts<'_>,
        now: Timestamp,
    ) -> Result<Option<SnapshotStep>, SnapshotStateError> {
        match change {
            SnapshotChange::BeginUpload => self.begin_upload().map(Some),
            SnapshotChange::Append {
                attempt,
                index,
                addresses,
            } => self.append(*attempt, *index, addresses).map(Some),
            SnapshotChange::CompleteUpload {
                attempt,
                slices,
                addresses,
            } => self.complete_upload(*attempt, *slices, *addresses),
            SnapshotChange::Continue(input) => Ok(self.continue_job(input, facts, now)),
            SnapshotChange::Finalize => self.finalize(),
        }
    }

    fn with(&self, progress: SnapshotProgress) -> SnapshotStep {
        SnapshotStep {
            snapshot: Self {
                progress,
                ..self.clone()
            },
            slice: None,
            writes: Vec::new(),
        }
    }

    fn begin_upload(&self) -> Result<SnapshotStep, SnapshotStateError> {
        match self.progress.state {
            SnapshotState::Uploading => Ok(self.with(SnapshotProgress {
                attempt: self.progress.attempt + 1,
                ..self.progress
            })),
            _ => Err(SnapshotStateError::NotUploading),
        }
    }

    fn append(
        &self,
        attempt: u32,
        index: u32,
        addresses: &[ListedAddress],
    ) -> Result<SnapshotStep, SnapshotStateError> {
        self.require_upload(attempt)?;
        let stored_slices = self.progress.stored_slices.max(index + 1);
        let slice = SnapshotSlice {
            rows: Vec::new(),
            pending: addresses.to_vec(),
        };
        Ok(SnapshotStep {
            slice: Some((index, slice)),
            ..self.with(SnapshotProgress {
                stored_slices,
                ..self.progress
            })
        })
    }

    fn complete_upload(
        &self,
        attempt: u32,
        slices: u32,
        addresses: u64,
    ) -> Result<Option<SnapshotStep>, SnapshotStateError> {
        let progress = self.progress;
        let is_repeated =
            (progress.attempt, progress.slices, progress.addresses) == (attempt, slices, addresses);
        if progress.state != SnapshotState::Uploading && is_repeated {
            return Ok(None);
        }
        self.require_upload(attempt)?;
        let state = SnapshotState::Running;
        Ok(Some(self.with(SnapshotProgress {
            state,
            slices,
            addresses,
            ..progress
        })))
    }

    fn require_upload(&self, attempt: u32) -> Result<(), SnapshotStateError> {
        match self.progress.state {
            SnapshotState::Uploading if self.progress.attempt == attempt => Ok(()),
            SnapshotState::Uploading => Err(SnapshotStateError::UploadReplaced),
            _ => Err(SnapshotStateError::NotUploading),
        }
    }

    fn finalize(&self) -> Result<Option<SnapshotStep>, SnapshotStateError> {
        match self.progress.state {
            SnapshotState::Draft => {
                let state = SnapshotState::Finalizing;
                Ok(Some(self.with(SnapshotProgress {
                    state,
                    next_slice: 0,
                    ..self.progress
                })))
            }
            SnapshotState::Finalizing | SnapshotState::Final => Ok(None),
            SnapshotState::Uploading | SnapshotState::Running => Err(SnapshotStateError::NoDraft),
        }
    }

    /// Processes the next slice. If no slice is left, completes the state.
    fn continue_job(
        &self,
        input: &SliceInput,
        facts: &SnapshotFacts<'_>,
        now: Timestamp,
    ) -> Option<SnapshotStep> {
        let is_over = self.progress.next_slice >= self.progress.slices;
        match self.progress.state {
            SnapshotState::Running if is_over => {
                let state = SnapshotState::Draft;
                Some(self.with(SnapshotProgress {
                    state,
                    pause: None,
                    drafted_at: Some(now),
                    ..self.progress
                }))
            }
            SnapshotState::Finalizing if is_over => {
                let state = SnapshotState::Final;
                Some(self.with(SnapshotProgress {
                    state,
                    pause: None,
                    finalized_at: Some(now),
                    ..self.progress
                }))
            }
            SnapshotState::Running => self.look_up(input, facts, now),
            SnapshotState::Finalizing => self.read_again(facts),
            SnapshotState::Uploading | SnapshotState::Draft | SnapshotState::Final => None,
        }
    }

    /// Looks up the pending addresses of a slice. If a cap does not allow all of them, the first ones are recorded.
    fn look_up(
        &self,
        input: &SliceInput,
        facts: &SnapshotFacts<'_>,
        now: Timestamp,
    ) -> Option<SnapshotStep> {
        let caller = facts.caller;
        let accepts = |key: &Key| key.id == self.key && key.is_active(now);
        let (caller_key, context) =
            match authorise(accepts, None, &caller, now, |_| None::<Infallible>) {
                Ok(authorised) => authorised,
                Err(outcome) => return self.paused(pause_of(&outcome)),
            };
        // Rows name the request by their idempotency digest. The job itself is its record.
        let idempotency = Some(IdempotencyInput {
            key_digest: self.row_digest,
            fingerprint: self.row_digest,
        });
        let metering = Metering {
            caller_key,
            context,
            idempotency,
            rules: &input.rules,
            now,
        };
        let all_facts = facts
            .addresses
            .iter()
            .copied()
            .chain(std::iter::repeat(AddressFacts::default()));
        let pending = || facts.slice.pending.iter().zip(all_facts.clone());
        let addresses: Vec<_> = pending()
            .map(|(listed, address_facts)| (listed.address, address_facts))
            .collect();
        let recorded_lookups =
            metering.record_all(caller.meter, &input.nonce_seed, addresses.into_iter());
        let answer_count = recorded_lookups.answers.len();
        let looked_up =
            pending()
                .zip(&recorded_lookups.answers)
                .map(|((listed, address_facts), answer)| SnapshotRow {
                    address: listed.address,
                    answer: *answer,
                    detail: address_facts.detail(self.environment, context, &listed.address),
                    amount: listed.amount,
                    draft: None,
                });
        let mut rows = facts.slice.rows.clone();
        rows.extend(looked_up);
        let remaining_addresses = facts
            .slice
            .pending
            .get(answer_count..)
            .unwrap_or_default()
            .to_vec();
        let pause = recorded_lookups
            .resets_at
            .map(|resets_at| SnapshotPause::CapReached { resets_at });
        if answer_count == 0 && pause.is_some() {
            return pause.and_then(|pause| self.paused(pause));
        }
        let last_row = recorded_lookups
            .writes
            .last()
            .map(|write| (write.meter.seq, write.meter.head));
        let progress = SnapshotProgress {
            pause,
            units: self.progress.units + answer_count as u64,
            last_row: last_row.or(self.progress.last_row),
            next_slice: self.progress.next_slice + u32::from(remaining_addresses.is_empty()),
            ..self.progress
        };
        Some(SnapshotStep {
            slice: Some((
                self.progress.next_slice,
                SnapshotSlice {
                    rows,
                    pending: remaining_addresses,
                },
            )),
            writes: recorded_lookups.writes,
            ..self.with(progress)
        })
    }

    /// Reads the verdicts of a slice again.
    fn read_again(&self, facts: &SnapshotFacts<'_>) -> Option<SnapshotStep> {
        let Some(context) = facts.caller.context else {
            return self.paused(SnapshotPause::ContextRejected);
        };
        let all_facts = facts
            .addresses
            .iter()
            .copied()
            .chain(std::iter::repeat(AddressFacts::default()));
        let rows: Vec<_> = facts
            .slice
            .rows
            .iter()
            .zip(all_facts)
            .map(|(row, address_facts)| self.row_again(row, context, address_facts))
            .collect();
        let changed_rows = rows.iter().filter(|row| row.draft.is_some()).count();
        let progress = SnapshotProgress {
            pause: None,
            changed: self.progress.changed + changed_rows as u64,
            next_slice: self.progress.next_slice + 1,
            ..self.progress
        };
        let slice = SnapshotSlice {
            rows,
            pending: Vec::new(),
        };
        Some(SnapshotStep {
            slice: Some((self.progress.next_slice, slice)),
            ..self.with(progress)
        })
    }

    fn row_again(
        &self,
        row: &SnapshotRow,
        context: &Context,
        facts: AddressFacts<'_>,
    ) -> SnapshotRow {
        let answer = facts.answer(self.environment, context, &row.address);
        let detail = facts.detail(self.environment, context, &row.address);
        SnapshotRow {
            answer,
            detail,
            draft: (answer != row.answer).then_some(row.answer),
            ..*row
        }
    }

    /// Returns the step that notes a pause; `None` if it is noted already.
    fn paused(&self, pause: SnapshotPause) -> Option<SnapshotStep> {
        let pause = Some(pause);
        (self.progress.pause != pause).then(|| {
            self.with(SnapshotProgress {
                pause,
                ..self.progress
            })
        })
    }
}

fn pause_of(outcome: &LookupOutcome<Infallible>) -> SnapshotPause {
    match outcome {
        LookupOutcome::ClientSuspended => SnapshotPause::ClientSuspended,
        LookupOutcome::UnknownContext => SnapshotPause::ContextRejected,
        LookupOutcome::CapReached { resets_at, .. } => SnapshotPause::CapReached {
            resets_at: *resets_at,
        },
        LookupOutcome::InvalidKey
        | LookupOutcome::ScopeMissing
        | LookupOutcome::IdempotencyKeyReused => SnapshotPause::KeyRejected,
        LookupOutcome::Recorded(never, _) | LookupOutcome::Replayed(never) => match *never {},
    }
}
