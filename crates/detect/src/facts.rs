//! Features of a check, as rules consume them.

mod headers;
mod system;

pub(crate) use headers::Headers;
pub(crate) use system::OperatingSystem;

use crate::evidence_schema::{
    Copied, Counts, Env, ErrorShape, EvidenceDocument, KeyDown, PointerEvent, PointerKind,
    PointerType, Probe,
};
use crate::gate::ParsedBatch;
use crate::press::Press;
use voight_domain::ports::CheckEvidence;

/// Features of one check.
pub(crate) struct CheckFacts {
    batches: Vec<EvidenceDocument>,
    /// Request headers of each call.
    pub(crate) calls: Vec<Headers>,
    /// First environment object that the browser reported; any member may be missing.
    pub(crate) env: Env,
    /// `true` if the window completed the check.
    pub(crate) completed: bool,
}

impl CheckFacts {
    /// Extracts the features of a check from its batches that passed the gate.
    pub(crate) fn extract(check: &CheckEvidence<'_>, parsed_batches: Vec<ParsedBatch<'_>>) -> Self {
        let calls = parsed_batches
            .iter()
            .map(|parsed_batch| Headers::new(&parsed_batch.batch.call.headers))
            .collect();
        let batches: Vec<EvidenceDocument> = parsed_batches
            .into_iter()
            .map(|parsed_batch| parsed_batch.parsed)
            .collect();
        let env = batches
            .iter()
            .find_map(|batch| batch.env.clone())
            .unwrap_or_default();
        Self {
            batches,
            calls,
            env,
            completed: check.completed,
        }
    }

    /// Returns each environment object that the browser reported.
    pub(crate) fn envs(&self) -> impl Iterator<Item = &Env> {
        self.batches.iter().filter_map(|batch| batch.env.as_ref())
    }

    /// Returns the environments of workers and nested frames.
    pub(crate) fn copies(&self) -> impl Iterator<Item = &Copied> {
        self.envs()
            .flat_map(|env| [&env.worker, &env.frame])
            .flatten()
    }

    /// Returns the names of the graphics renderers, of the page and its copies.
    pub(crate) fn renderers(&self) -> impl Iterator<Item = &str> {
        system::renderers(&self.env)
    }

    /// Returns the probes for drivers, at load and at submit.
    pub(crate) fn probes(&self) -> impl Iterator<Item = &Probe> {
        self.envs()
            .flat_map(|env| [&env.at_load, &env.at_submit])
            .flatten()
    }

    /// Returns `true` if the window probed for a driver when it submitted evidence.
    pub(crate) fn probed_at_submit(&self) -> bool {
        self.envs().any(|env| env.at_submit.is_some())
    }

    /// Returns `true` if the check is conclusive: it has a press, and a probe for drivers at submit.
    pub(crate) fn is_covered(&self) -> bool {
        self.probed_at_submit() && self.presses().next().is_some()
    }

    /// Returns the presses, at most one of each batch.
    pub(crate) fn presses(&self) -> impl Iterator<Item = Press<'_>> {
        self.batches.iter().filter_map(Press::in_batch)
    }

    /// Returns the presses of a real mouse, as far as the browser reports it. Rules about mouse input use these only.
    ///
    /// Untrusted events come from scripts, and default actions from other sources; both include assistive technology for
    /// visitors without a mouse.
    pub(crate) fn mouse_presses(&self) -> impl Iterator<Item = (Press<'_>, &PointerEvent)> {
        self.presses()
            .filter(|press| !press.is_default_action())
            .filter_map(|press| {
                press
                    .down
                    .filter(|down| down.pointer == PointerType::Mouse && down.trusted)
                    .map(|down| (press, down))
            })
    }

    /// Returns the pointer events of each batch.
    pub(crate) fn pointer_streams(&self) -> impl Iterator<Item = &[PointerEvent]> {
        self.batches.iter().map(|batch| batch.pointer.as_slice())
    }

    /// Returns the pointer events of each batch without a default action, which no input device makes.
    pub(crate) fn device_streams(&self) -> impl Iterator<Item = &[PointerEvent]> {
        let by_device = |batch: &&EvidenceDocument| {
            Press::in_batch(batch).is_none_or(|press| !press.is_default_action())
        };
        self.batches
            .iter()
            .filter(by_device)
            .map(|batch| batch.pointer.as_slice())
    }

    /// Returns the trusted moves of a mouse.
    pub(crate) fn mouse_moves(&self) -> impl Iterator<Item = &PointerEvent> {
        let of_mouse = |event: &&PointerEvent| {
            event.kind == PointerKind::Move && event.pointer == PointerType::Mouse && event.trusted
        };
        self.pointer_streams().flatten().filter(of_mouse)
    }

    /// Returns the key events of each batch.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &[KeyDown]> {
        self.batches.iter().map(|batch| batch.keys.as_slice())
    }

    /// Returns the parsed batches.
    pub(crate) fn batches(&self) -> &[EvidenceDocument] {
        &self.batches
    }

    /// Returns the latest counters.
    pub(crate) fn counts(&self) -> Option<&Counts> {
        self.batches
            .iter()
            .rev()
            .find_map(|batch| batch.counts.as_ref())
    }

    /// Returns the agent string, empty if it is missing.
    pub(crate) fn ua(&self) -> &str {
        self.env.ua.as_deref().unwrap_or_default()
    }

    /// Returns `true` if the engine is V8 with Blink: by its error shape if known, otherwise by the agent string.
    pub(crate) fn is_chromium(&self) -> bool {
        match self
            .env
            .engine
            .as_ref()
            .and_then(|engine| engine.error_shape)
        {
            Some(shape) => shape == ErrorShape::V8,
            None => self.ua().contains("Chrome/"),
        }
    }

    /// Returns the operating system if all known sources agree on it.
    pub(crate) fn system(&self) -> Option<OperatingSystem> {
        system::consistent_system(&self.env)
    }

    /// Returns `true` if an X server may date and position the input.
    pub(crate) fn has_x_server(&self) -> bool {
        self.system() == Some(OperatingSystem::Linux) && system::may_be_x11(&self.env)
    }
}
