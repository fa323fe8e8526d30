//! What tells a machine from others.

use crate::facts::CheckFacts;
use crate::wire::{BoundedText, Device};
use voight_domain::links::DeviceFingerprint;

/// Marks that have to be there, of pictures, sound, fonts, arithmetic, graphics and codecs. One alone (a picture, say) is the
/// same on many machines, and easily made another.
const MIN_MARKS: usize = 3;

/// A digest of the marks of the machine, if enough were seen, and each batch that shows marks shows the same.
pub(super) fn device_fingerprint(facts: &CheckFacts) -> Option<DeviceFingerprint> {
    let mut seen = facts.batches().iter().filter_map(|batch| batch.device.as_ref()).map(marks);
    let first = seen.next()?;
    let enough = first.iter().filter(|parts| !parts.is_empty()).count() >= MIN_MARKS;
    if !enough || !seen.all(|other| other == first) {
        return None;
    }
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"voight device 1");
    // Lengths in front, so that no two lists of marks share their bytes.
    for parts in first {
        hasher.update(&(parts.len() as u64).to_le_bytes());
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes()).update(part.as_bytes());
        }
    }
    Some(DeviceFingerprint(hasher.finalize().into()))
}

/// The marks in a fixed order; what is missing has no parts. The random id that a browser keeps is no mark: it tells profiles
/// apart, not machines.
fn marks(device: &Device) -> [Vec<&str>; 6] {
    let webgl = device.webgl.as_ref();
    let webgl = webgl.and_then(|webgl| parts([&webgl.vendor, &webgl.renderer, &webgl.hash]));
    let one = |mark| parts([mark]).unwrap_or_default();
    let Device { canvas, audio, fonts, math, codecs, .. } = device;
    [one(canvas), one(audio), one(fonts), one(math), webgl.unwrap_or_default(), one(codecs)]
}

/// The parts of a mark, if all of them were seen.
fn parts<const N: usize>(texts: [&Option<BoundedText<128>>; N]) -> Option<Vec<&str>> {
    texts.into_iter().map(|text| text.as_deref().filter(|text| !text.is_empty())).collect()
}
