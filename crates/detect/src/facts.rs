//! What is known of a check, in the form in which rules ask for it.

mod headers;
mod system;

pub(crate) use headers::Headers;
pub(crate) use system::OperatingSystem;

use crate::gate::ParsedBatch;
use crate::model::{Abstention, Model, ModelJudgement, Stroke};
use crate::movement::movements;
use crate::press::Press;
use crate::wire::{
    Copied, Counts, Env, ErrorShape, EvidenceDocument, KeyDown, PointerEvent, PointerKind, PointerType, Probe,
};

/// Everything that is known of a check.
pub(crate) struct CheckFacts {
    batches: Vec<EvidenceDocument>,
    /// The headers of each call.
    pub(crate) calls: Vec<Headers>,
    /// What the browser says about itself: the first such object, whose members may be missing.
    pub(crate) env: Env,
    /// Whether the window completed the check.
    pub(crate) completed: bool,
    /// What the behaviour model says of the presses.
    pub(crate) behaviour: ModelJudgement,
}

impl CheckFacts {
    /// The facts of batches that passed the gate.
    pub(crate) fn extract(kept: Vec<ParsedBatch<'_>>, completed: bool, model: &Model) -> Self {
        let calls = kept.iter().map(|kept| Headers::new(&kept.batch.call.headers)).collect();
        let batches: Vec<EvidenceDocument> = kept.into_iter().map(|kept| kept.parsed).collect();
        let env = batches.iter().find_map(|batch| batch.env.clone()).unwrap_or_default();
        let silent = ModelJudgement::Abstains(Abstention::TooFew);
        let mut facts = Self { batches, calls, env, completed, behaviour: silent };
        facts.behaviour = facts.judge(model);
        facts
    }

    /// What a model says of the presses. Untrusted ones are no hand's.
    fn judge(&self, model: &Model) -> ModelJudgement {
        if self.presses().filter_map(|press| press.down).all(|down| down.trusted) {
            model.judge(&movements(self), &mut Stroke::default())
        } else {
            ModelJudgement::Abstains(Abstention::Pointer)
        }
    }

    /// What the browser said about itself, each time it did.
    pub(crate) fn envs(&self) -> impl Iterator<Item = &Env> {
        self.batches.iter().filter_map(|batch| batch.env.as_ref())
    }

    /// The copies seen in workers and nested frames.
    pub(crate) fn copies(&self) -> impl Iterator<Item = &Copied> {
        self.envs().flat_map(|env| [&env.worker, &env.frame]).flatten()
    }

    /// The names of what draws, in the page and in its copies.
    pub(crate) fn renderers(&self) -> impl Iterator<Item = &str> {
        system::renderers(&self.env)
    }

    /// The looks for a driver, at load and at submit.
    pub(crate) fn probes(&self) -> impl Iterator<Item = &Probe> {
        self.envs().flat_map(|env| [&env.at_load, &env.at_submit]).flatten()
    }

    /// Whether somebody looked for a driver when evidence was submitted.
    pub(crate) fn probed_at_submit(&self) -> bool {
        self.envs().any(|env| env.at_submit.is_some())
    }

    /// Returns `true` if the check is conclusive: somebody pressed, and looked for a driver when evidence was submitted.
    pub(crate) fn is_covered(&self) -> bool {
        self.probed_at_submit() && self.presses().next().is_some()
    }

    /// The presses, one of each batch that has one.
    pub(crate) fn presses(&self) -> impl Iterator<Item = Press<'_>> {
        self.batches.iter().filter_map(Press::in_batch)
    }

    /// The presses that a real mouse made, as far as the browser says: rules about a hand on a mouse look at these only.
    /// Untrusted events come from scripts, and default actions from elsewhere: among both are tools that help people without a
    /// mouse.
    pub(crate) fn mouse_presses(&self) -> impl Iterator<Item = (Press<'_>, &PointerEvent)> {
        self.presses().filter(|press| !press.is_default_action()).filter_map(|press| {
            press.down.filter(|down| down.pointer == PointerType::Mouse && down.trusted).map(|down| (press, down))
        })
    }

    /// The batches' pointer events, batch by batch.
    pub(crate) fn pointer_streams(&self) -> impl Iterator<Item = &[PointerEvent]> {
        self.batches.iter().map(|batch| batch.pointer.as_slice())
    }

    /// The same without those that are a default action and nothing else, which an input device has no part in.
    pub(crate) fn device_streams(&self) -> impl Iterator<Item = &[PointerEvent]> {
        let by_device =
            |batch: &&EvidenceDocument| Press::in_batch(batch).is_none_or(|press| !press.is_default_action());
        self.batches.iter().filter(by_device).map(|batch| batch.pointer.as_slice())
    }

    /// Trusted moves of a mouse.
    pub(crate) fn mouse_moves(&self) -> impl Iterator<Item = &PointerEvent> {
        let of_mouse = |event: &&PointerEvent| {
            event.kind == PointerKind::Move && event.pointer == PointerType::Mouse && event.trusted
        };
        self.pointer_streams().flatten().filter(of_mouse)
    }

    /// The batches' keys, batch by batch.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &[KeyDown]> {
        self.batches.iter().map(|batch| batch.keys.as_slice())
    }

    /// The batches themselves.
    pub(crate) fn batches(&self) -> &[EvidenceDocument] {
        &self.batches
    }

    /// The counters as they last were.
    pub(crate) fn counts(&self) -> Option<&Counts> {
        self.batches.iter().rev().find_map(|batch| batch.counts.as_ref())
    }

    /// The agent string, empty if it is missing.
    pub(crate) fn ua(&self) -> &str {
        self.env.ua.as_deref().unwrap_or_default()
    }

    /// Whether the engine is V8 with Blink, by what it does where that is known, else by what it says.
    pub(crate) fn is_chromium(&self) -> bool {
        match self.env.engine.as_ref().and_then(|engine| engine.error_shape) {
            Some(shape) => shape == ErrorShape::V8,
            None => self.ua().contains("Chrome/"),
        }
    }

    /// The system, where what is known agrees.
    pub(crate) fn system(&self) -> Option<OperatingSystem> {
        system::consistent_system(&self.env)
    }

    /// Whether an X server dates and places the input, as far as can be told.
    pub(crate) fn has_x_server(&self) -> bool {
        self.system() == Some(OperatingSystem::Linux) && system::may_be_x11(&self.env)
    }
}
