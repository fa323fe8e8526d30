//! Labels: ground truth that operators supply, and its comparison with the verdicts.

use super::read_all::{PAGE, read_contexts};
use super::reason::validate_reason;
use super::{OperatorService, ServiceError};
use crate::ports::{ContextFilter, LabelRecord, StoreError};
use crate::registry::{AuditAction, Context, ContextMode, ContextSettings};
use crate::verdict::{Calibration, Label, LabelledAnswer, Truth, answer, effective_verdict};
use crate::vocabulary::{ContextId, EoaAddress};
use std::collections::HashSet;

/// Maximum number of labels of one call, which stores them in one transaction.
pub const MAX_LABELS: usize = 10_000;

/// Label in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelInput {
    /// The address.
    pub address: EoaAddress,
    /// The operator of the address: human or bot.
    pub truth: Truth,
    /// `true` if the visitor consented to the use of the recordings for training.
    pub consent: bool,
    /// The operator's source; the reason of the call if missing.
    pub reason: Option<String>,
}

/// Comparison of the answers with the labels, of one context or of all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LabelledAnswers {
    /// The accuracy and calibration of the answers.
    pub calibration: Calibration,
    /// The number of labelled addresses without a verdict or tombstone; they are not compared.
    pub without_verdict: usize,
}

impl OperatorService {
    /// Stores labels of a context, all or none of them, audited with the reason; returns their number.
    pub async fn label(
        &self,
        context: &ContextId,
        given: Vec<LabelInput>,
        reason: &str,
    ) -> Result<usize, ServiceError> {
        validate_reason("a label", reason)?;
        validate(&given)?;
        let context = self.context(context).await?;
        if context.environment.is_test() {
            let message =
                "a sandbox context answers for fixed test addresses, so no address can be labelled";
            return Err(ServiceError::Invalid(message.into()));
        }
        let detail = format!("{}: {reason}", self.audit_details(&given));
        let audit = self.audit(AuditAction::AddressLabelled, &context.id, detail);
        let at = audit.at;
        let count = given.len();
        let record = |LabelInput {
                          address,
                          truth,
                          consent,
                          reason: own,
                      }| {
            let reason = own.unwrap_or_else(|| reason.to_owned());
            LabelRecord {
                address,
                label: Label {
                    truth,
                    consent,
                    reason,
                    at,
                },
            }
        };
        self.store
            .put_labels(&context.id, given.into_iter().map(record).collect(), audit)
            .await?;
        Ok(count)
    }

    /// Returns at most `limit` labels of a context after `after`, in the order of their addresses.
    pub async fn labels(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> Result<Vec<LabelRecord>, StoreError> {
        self.store.labels(context, after, limit).await
    }

    /// Compares the answers with the labels, in one context or in all. An observing context is evaluated as if it
    /// enforced.
    pub async fn calibration(
        &self,
        context: Option<&ContextId>,
    ) -> Result<LabelledAnswers, ServiceError> {
        let contexts = match context {
            Some(id) => vec![self.context(id).await?],
            None => read_contexts(self.store.as_ref(), ContextFilter::All).await?,
        };
        let mut outcomes = Vec::new();
        let mut without_verdict = 0;
        for context in &contexts {
            without_verdict += self.compare(context, &mut outcomes).await?;
        }
        Ok(LabelledAnswers {
            calibration: Calibration::from_outcomes(&outcomes),
            without_verdict,
        })
    }

    /// Adds the labelled answers of a context; returns the number of labelled addresses without a verdict.
    async fn compare(
        &self,
        context: &Context,
        outcomes: &mut Vec<LabelledAnswer>,
    ) -> Result<usize, ServiceError> {
        let settings = ContextSettings {
            mode: ContextMode::Enforce,
            ..context.settings.clone()
        };
        let mut cursor = None;
        let mut without_verdict = 0;
        loop {
            let page = self.store.labels(&context.id, cursor, PAGE).await?;
            for LabelRecord { address, label } in &page {
                let verdict = self.store.verdict(&context.id, address).await?;
                let tombstone = self.tombstone(&context.id, address).await?;
                if verdict.is_none() && tombstone.is_none() {
                    without_verdict += 1;
                    continue;
                }
                let answer = answer(
                    &effective_verdict(verdict.as_ref(), tombstone.as_ref()),
                    &settings,
                );
                outcomes.push(LabelledAnswer {
                    answer,
                    truth: label.truth,
                });
            }
            cursor = page.last().map(|record| record.address);
            if page.len() < PAGE {
                return Ok(without_verdict);
            }
        }
    }

    /// Describes the labels for the audit log, without an address.
    fn audit_details(&self, given: &[LabelInput]) -> String {
        if let [LabelInput { address, truth, .. }] = given {
            return format!(
                "{} is {}",
                self.secrets.audit_address_digest(address),
                truth.as_str()
            );
        }
        let humans = given
            .iter()
            .filter(|label| label.truth == Truth::Human)
            .count();
        format!(
            "{} addresses, {humans} human and {} bot",
            given.len(),
            given.len() - humans
        )
    }
}

/// Passes if these labels can be stored in one transaction, each for a different address.
fn validate(given: &[LabelInput]) -> Result<(), ServiceError> {
    let invalid = |why: String| Err(ServiceError::Invalid(why));
    if given.is_empty() || given.len() > MAX_LABELS {
        return invalid(format!(
            "{} labels at a time are 1 to {MAX_LABELS}; give them in parts",
            given.len()
        ));
    }
    let mut addresses = HashSet::new();
    if let Some(twice) = given.iter().find(|label| !addresses.insert(label.address)) {
        return invalid(format!(
            "{} comes twice; leave one of its labels out",
            twice.address
        ));
    }
    for label in given {
        if let Some(reason) = &label.reason {
            validate_reason("a label", reason)?;
        }
    }
    Ok(())
}
