//! Checks, redemptions and overrides of a history.

use super::{DAY, HistoryState};
use crate::generate::{address, bot, human, labelled, overrule, replacement};
use crate::histories::operation::Operation;
use std::time::Duration;
use voight_domain::check::GateRejection;
use voight_domain::metering::IdempotencyInput;
use voight_domain::ports::Judgement;
use voight_domain::verdict::{Assessment, LayerKind, Nats, OverrideTo, Truth, Verdict};
use voight_domain::vocabulary::Timestamp;

impl HistoryState {
    pub(super) fn conclude(&mut self, now: Timestamp) -> Operation {
        if !self.checks.is_empty() && self.rng.chance(15) {
            return Operation::Conclude(self.rng.pick(&self.checks).clone());
        }
        if !self.checks.is_empty() && self.rng.chance(15) {
            return self.redeem(now);
        }
        if self.rng.chance(5) {
            let minutes = self.rng.below(24 * 60);
            return Operation::Sweep(now.saturating_sub(Duration::from_mins(minutes)), 3);
        }
        let assessment = self.assessment();
        let context = self.some_context();
        let address = self.some_address();
        let mut check = self.make.conclusion(&context, address, assessment, now);
        if self.rng.chance(30) {
            check.layer = LayerKind::Owned;
        }
        if self.rng.chance(10) {
            check.judgement = Judgement::Rejected(GateRejection::LayoutMismatch);
        }
        if self.rng.chance(20) {
            check.inputs.push(*self.rng.pick(&self.inputs));
        }
        if self.rng.chance(15) {
            check.receipt = None;
        }
        self.names.checks.push(check.check);
        self.checks.push(check.clone());
        Operation::Conclude(check)
    }

    /// Redeems a receipt, usually of an earlier check with the context's own API key. The receipt is therefore often
    /// used or expired.
    fn redeem(&mut self, now: Timestamp) -> Operation {
        let stored_receipt = self.rng.pick(&self.checks).receipt.clone();
        let context = self.some_context();
        let receipt =
            stored_receipt.unwrap_or_else(|| self.make.receipt(&context, address(1), now));
        let owner = self
            .contexts
            .iter()
            .find(|context| context.id == receipt.context)
            .unwrap_or(&context)
            .clone();
        let mut redemption = self.make.redemption(&owner, &receipt);
        if self.rng.chance(10) {
            redemption.key = self.rng.pick(&self.keys).id;
        }
        if self.rng.chance(40) {
            let key = self.random_idempotency().key_digest;
            redemption.idempotency = Some(IdempotencyInput {
                key_digest: key,
                ..self.make.redemption_idempotency(&receipt)
            });
        }
        Operation::Redeem(redemption)
    }

    fn assessment(&mut self) -> Assessment {
        let mut nats =
            |max_milli| Nats::from_milli(i32::try_from(self.rng.below(max_milli)).unwrap_or(0));
        match nats(3).as_milli() {
            0 => bot(),
            1 => human(),
            _ => Assessment {
                bot: nats(9000),
                human: nats(3000),
                groups: 2,
                conclusive: nats(4) > Nats::ZERO,
                ..human()
            },
        }
    }

    pub(super) fn override_verdict(&mut self) -> Operation {
        let to = *self.rng.pick(&[OverrideTo::Bot, OverrideTo::Human]);
        let address = self.some_address();
        Operation::Override(overrule(self.rng.pick(&self.contexts), address, to))
    }

    /// Labels and replacements, usually of an address without checks, so that its verdict is unchanged.
    pub(super) fn correct(&mut self, now: Timestamp) -> Operation {
        let context = self.some_context();
        let address = self.some_address();
        if self.rng.chance(30) {
            let [before, layers] = [(); 2].map(|()| Verdict::default());
            return Operation::Replace(replacement(&context, address, before, layers));
        }
        let truth = *self.rng.pick(&[Truth::Human, Truth::Bot]);
        Operation::Label(
            context.id,
            vec![
                labelled(address, truth, now),
                labelled(self.some_address(), truth, now),
            ],
        )
    }

    /// Generates operations on evidence. Only checks with evidence are marked as judged; checks whose evidence may have
    /// been evicted are left alone.
    pub(super) fn evidence(&mut self, now: Timestamp) -> Operation {
        if self.challenges.is_empty() || self.rng.chance(30) {
            let context = self.some_context();
            let address = self.some_address();
            let challenge = self.make.challenge(&context, address, now);
            let first = self.make.batch(&challenge, 1, 64, now);
            let keep_until =
                now.saturating_add(Duration::from_secs(DAY * *self.rng.pick(&[1, 2, 30])));
            self.names.checks.push(challenge.check);
            self.challenges.push((challenge, keep_until));
            return Operation::Append(first, keep_until);
        }
        let (challenge, keep_until) = self.rng.pick(&self.challenges).clone();
        match self.rng.below(10) {
            0..6 => {
                let number = u8::try_from(1 + self.rng.below(3)).unwrap_or(1);
                Operation::Append(self.make.batch(&challenge, number, 64, now), keep_until)
            }
            6..9 => Operation::Settle(challenge.check),
            _ => {
                let retention = now.saturating_since(challenge.opened_at);
                self.challenges.retain(|(other, keep_until)| {
                    *keep_until >= now && other.opened_at >= now.saturating_sub(retention)
                });
                Operation::Evict(now, retention, 2)
            }
        }
    }
}
