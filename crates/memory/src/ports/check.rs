//! Concludes checks.

use crate::MemoryStore;
use crate::state::State;
use async_trait::async_trait;
use voight_domain::check::{
    CheckConclusion, ConcludeFacts, ConcludeOutcome, ConcludeWrite, Concluded, conclude,
};
use voight_domain::ports::{CheckStore, StoreError};
use voight_domain::verdict::{Event, Verdict};
use voight_domain::vocabulary::{CheckId, ContextId, EoaAddress, Timestamp};

#[async_trait]
impl CheckStore for MemoryStore {
    async fn conclude(&self, conclusion: CheckConclusion) -> Result<ConcludeOutcome, StoreError> {
        let mut state = self.state()?;
        let facts = ConcludeFacts {
            previous_conclusion: state.concluded.get(&conclusion.check),
            input_seen: state.input_seen(&conclusion),
            context: state.contexts.get(&conclusion.context),
            verdict: state
                .verdicts
                .get(&(conclusion.context.clone(), conclusion.address)),
            links: &state.links_of(&conclusion),
        };
        let now = self.clock.now();
        let step = conclude(&conclusion, facts, now);
        if let Some(write) = step.write {
            if let Some(context) = state.contexts.get(&conclusion.context) {
                let client = context.client;
                state.append_client_events(client, write.client_event.clone(), now);
            }
            state.apply_conclusion(&conclusion, write);
        }
        Ok(step.outcome)
    }

    async fn concluded(&self, check: CheckId) -> Result<Option<Concluded>, StoreError> {
        Ok(self.state()?.concluded.get(&check).cloned())
    }

    async fn sweep(&self, opened_before: Timestamp, limit: usize) -> Result<usize, StoreError> {
        let mut state = self.state()?;
        // A check id starts with the time at which the check was opened.
        let end = CheckId::new(opened_before, [0; 10]);
        let old: Vec<CheckId> = state
            .concluded
            .range(..end)
            .take(limit)
            .map(|(check, _)| *check)
            .collect();
        for check in &old {
            state.concluded.remove(check);
        }
        Ok(old.len())
    }

    async fn verdict(
        &self,
        context: &ContextId,
        address: &EoaAddress,
    ) -> Result<Option<Verdict>, StoreError> {
        Ok(self
            .state()?
            .verdicts
            .get(&(context.clone(), *address))
            .copied())
    }

    async fn timeline(
        &self,
        context: &ContextId,
        address: &EoaAddress,
        limit: usize,
    ) -> Result<Vec<Event>, StoreError> {
        let state = self.state()?;
        let events = state
            .events
            .get(&(context.clone(), *address))
            .map_or(&[][..], Vec::as_slice);
        Ok(events[events.len().saturating_sub(limit)..].to_vec())
    }
}

impl State {
    /// Returns `true` if another check of the context has presented one of the inputs.
    fn input_seen(&self, conclusion: &CheckConclusion) -> bool {
        let presenter = |input| self.inputs.get(&(conclusion.context.clone(), input));
        conclusion
            .inputs
            .iter()
            .any(|input| presenter(*input).is_some_and(|check| *check != conclusion.check))
    }

    fn apply_conclusion(&mut self, conclusion: &CheckConclusion, write: ConcludeWrite) {
        let subject = (conclusion.context.clone(), conclusion.address);
        self.concluded.insert(conclusion.check, write.concluded);
        for input in &conclusion.inputs {
            self.inputs
                .entry((conclusion.context.clone(), *input))
                .or_insert(conclusion.check);
        }
        self.verdicts
            .extend(write.verdict.map(|verdict| (subject.clone(), verdict)));
        self.events.entry(subject).or_default().extend(write.events);
        self.link(&conclusion.context, write.links);
    }
}
