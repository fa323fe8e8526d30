//! Rules: the event of a change.

use super::{EventSubject, EventType, NewEvent};
use crate::invoicing::{Invoice, InvoiceState};
use crate::registry::{Context, Key};
use crate::snapshot::{Snapshot, SnapshotState};
use crate::verdict::{self, Verdict};
use crate::vocabulary::{Environment, EoaAddress};

/// Returns the event of a changed verdict; `None` if the client learns nothing from it.
///
/// An event never answers a lookup that was not metered. The first verdict on an address has an event without an answer,
/// whatever the verdict is. Later changes have an event only if the client has looked the address up, so that the
/// existence of an event tells nothing either.
pub fn verdict_event(
    context: &Context,
    address: EoaAddress,
    before: Option<&Verdict>,
    after: &Verdict,
) -> Option<NewEvent> {
    let (event_type, answer) = match before {
        None => (EventType::VerdictChanged, None),
        Some(before) if before.looked_up => {
            let old_answer = verdict::answer(before, &context.settings);
            let new_answer = verdict::answer(after, &context.settings);
            let event_type = match (old_answer.is_bot, new_answer.is_bot) {
                (false, true) => EventType::VerdictFlagged,
                (true, false) => EventType::VerdictChanged,
                _ if before.epoch != after.epoch && old_answer != new_answer => {
                    EventType::VerdictChanged
                }
                _ => return None,
            };
            (event_type, Some(new_answer))
        }
        Some(_) => return None,
    };
    Some(NewEvent {
        event_type,
        environment: context.environment,
        subject: EventSubject::Verdict {
            context: context.id.clone(),
            address: Some(address),
            answer,
        },
    })
}

/// Returns the event of a new or changed context; `None` if nothing changed.
pub fn context_event(before: Option<&Context>, after: &Context) -> Option<NewEvent> {
    let event_type = match before {
        None => EventType::ContextCreated,
        Some(before) if before == after => return None,
        Some(before) if before.archived_at.is_none() && after.archived_at.is_some() => {
            EventType::ContextArchived
        }
        Some(_) => EventType::ContextChanged,
    };
    Some(NewEvent {
        event_type,
        environment: after.environment,
        subject: EventSubject::Context(after.id.clone()),
    })
}

/// Returns the event of a new or changed API key; `None` if neither its secrets nor its revocation changed, and its expiry was
/// not reported.
pub fn key_event(before: Option<&Key>, after: &Key) -> Option<NewEvent> {
    let event_type = match before {
        None => EventType::KeyIssued,
        Some(before) if before.revoked_at.is_none() && after.revoked_at.is_some() => {
            EventType::KeyRevoked
        }
        Some(before) if before.secrets != after.secrets => EventType::KeyRotated,
        Some(before)
            if before.expiry_reported_at.is_none() && after.expiry_reported_at.is_some() =>
        {
            EventType::KeyExpiring
        }
        Some(_) => return None,
    };
    Some(NewEvent {
        event_type,
        environment: after.environment,
        subject: EventSubject::Key(after.id),
    })
}

/// Returns the event of a new or changed invoice; `None` for one that was written off, which is the operator's affair.
pub const fn invoice_event(invoice: &Invoice) -> Option<NewEvent> {
    let event_type = match invoice.state {
        InvoiceState::Open => EventType::InvoiceIssued,
        InvoiceState::Paid(_) => EventType::InvoicePaid,
        InvoiceState::Void { .. } => EventType::InvoiceVoided,
        InvoiceState::Uncollectible(_) => return None,
    };
    Some(NewEvent {
        event_type,
        environment: Environment::Live,
        subject: EventSubject::Invoice(invoice.id.number),
    })
}

/// Returns the event of a snapshot whose state changed, or whose job has paused; `None` for every other change.
pub fn snapshot_event(before: &Snapshot, after: &Snapshot) -> Option<NewEvent> {
    let (old_progress, new_progress) = (&before.progress, &after.progress);
    let event_type = match new_progress.state {
        SnapshotState::Draft if old_progress.state != SnapshotState::Draft => {
            EventType::SnapshotDraft
        }
        SnapshotState::Final if old_progress.state != SnapshotState::Final => {
            EventType::SnapshotFinal
        }
        _ if old_progress.pause.is_none() && new_progress.pause.is_some() => {
            EventType::SnapshotPaused
        }
        _ => return None,
    };
    Some(NewEvent {
        event_type,
        environment: after.environment,
        subject: EventSubject::Snapshot(after.id),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{KeyChange, testing};

    #[test]
    fn key_has_one_event_of_its_expiry() {
        let now = testing::timestamp(5);
        let key = Key {
            expires_at: Some(testing::timestamp(10)),
            ..testing::key(1)
        };
        let reported_key = key.clone().with_change(KeyChange::ReportExpiry, now);
        let event = key_event(Some(&key), &reported_key);
        assert_eq!(
            event.map(|event| (event.event_type, event.subject)),
            Some((EventType::KeyExpiring, EventSubject::Key(key.id)))
        );
        let repeated_key = reported_key
            .clone()
            .with_change(KeyChange::ReportExpiry, now);
        assert_eq!(key_event(Some(&reported_key), &repeated_key), None);
    }
}
