//! Device fingerprint, which distinguishes machines.

use crate::evidence_schema::{BoundedText, Device};
use crate::facts::CheckFacts;
use voight_domain::linkage::DeviceFingerprint;

/// Minimum number of marks, of canvas, audio, fonts, arithmetic, graphics and codecs.
///
/// A single mark (a canvas, for example) is equal on many machines, and easily changed.
const MIN_MARKS: usize = 3;

/// Returns the digest of the machine's marks, if enough were seen, and all batches with marks agree.
pub(super) fn device_fingerprint(facts: &CheckFacts) -> Option<DeviceFingerprint> {
    let mut mark_lists = facts
        .batches()
        .iter()
        .filter_map(|batch| batch.device.as_ref())
        .map(marks);
    let first = mark_lists.next()?;
    let enough = first.iter().filter(|parts| !parts.is_empty()).count() >= MIN_MARKS;
    if !enough || !mark_lists.all(|marks| marks == first) {
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"voight device 1");
    // Length prefixes ensure that no two lists of marks have the same bytes.
    for parts in first {
        hasher.update(&(parts.len() as u64).to_le_bytes());
        for part in parts {
            hasher
                .update(&(part.len() as u64).to_le_bytes())
                .update(part.as_bytes());
        }
    }
    Some(DeviceFingerprint(hasher.finalize().into()))
}

/// Returns the marks in a fixed order; a missing one has no parts.
///
/// The random id that a browser stores does not identify a device: it distinguishes profiles, not machines.
fn marks(device: &Device) -> [Vec<&str>; 6] {
    let webgl = device.webgl.as_ref();
    let webgl = webgl.and_then(|webgl| parts([&webgl.vendor, &webgl.renderer, &webgl.hash]));
    let single_mark = |mark| parts([mark]).unwrap_or_default();
    let Device {
        canvas,
        audio,
        fonts,
        math,
        codecs,
        ..
    } = device;
    [
        single_mark(canvas),
        single_mark(audio),
        single_mark(fonts),
        single_mark(math),
        webgl.unwrap_or_default(),
        single_mark(codecs),
    ]
}

/// Returns the parts of a mark, if all of them were seen.
fn parts<const N: usize>(texts: [&Option<BoundedText<128>>; N]) -> Option<Vec<&str>> {
    texts
        .into_iter()
        .map(|text| text.as_deref().filter(|text| !text.is_empty()))
        .collect()
}
