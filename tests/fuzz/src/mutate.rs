//! Mutations of seeds, reproducible from a number.

use fastrand::Rng;
use std::ops::Range;

/// Boundary values of a byte for parsers.
const EDGES: [u8; 12] = [
    0, 1, 0x7f, 0x80, 0xff, b'"', b'\\', b',', b'.', b'[', b' ', b'\n',
];
/// Maximum number of changes of one seed.
const CHANGES: usize = 4;
/// Maximum number of bytes that a change copies or cuts.
const PIECE: usize = 32;

/// Generator of mutations.
#[derive(Debug)]
pub struct Mutator(Rng);

impl Mutator {
    /// Creates the generator with this number.
    pub fn new(seed: u64) -> Self {
        Self(Rng::with_seed(seed))
    }

    /// Returns one of the seeds with one to four changes.
    pub fn draw(&mut self, seeds: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = self.choose(seeds).cloned().unwrap_or_default();
        for _ in 0..=self.below(CHANGES) {
            self.change(&mut bytes, seeds);
        }
        bytes
    }

    fn change(&mut self, bytes: &mut Vec<u8>, seeds: &[Vec<u8>]) {
        let at = self.below(bytes.len() + 1);
        match self.below(7) {
            0 => self.put(bytes, at, |mutator, byte| byte ^ (1 << mutator.below(8))),
            1 => self.put(bytes, at, |mutator, _| {
                mutator.choose(&EDGES).copied().unwrap_or_default()
            }),
            2 => self.put(bytes, at, |mutator, byte| {
                byte.wrapping_add(mutator.0.u8(..9)).wrapping_sub(4)
            }),
            3 => bytes.insert(at, self.0.u8(..)),
            4 => drop(bytes.drain(self.random_range(bytes.len()))),
            5 => bytes.truncate(at),
            _ => {
                let other_seed = self.choose(seeds).cloned().unwrap_or_default();
                let piece = self.random_range(other_seed.len());
                bytes.splice(at..at, other_seed[piece].iter().copied());
            }
        }
    }

    /// Replaces the byte at `at`, if it exists.
    fn put(&mut self, bytes: &mut [u8], at: usize, with: impl FnOnce(&mut Self, u8) -> u8) {
        if let Some(byte) = bytes.get_mut(at) {
            *byte = with(self, *byte);
        }
    }

    /// Returns a short random range within `length`.
    fn random_range(&mut self, length: usize) -> Range<usize> {
        let start = self.below(length + 1);
        start..length.min(start + self.below(PIECE))
    }

    fn choose<'t, T>(&mut self, choices: &'t [T]) -> Option<&'t T> {
        self.0.choice(choices)
    }

    /// Returns a random number below `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        self.0.usize(..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_gives_the_same_inputs() {
        let seeds = [b"one".to_vec(), b"another".to_vec()];
        let draw_inputs = |number| {
            let mut mutator = Mutator::new(number);
            (0..100).map(|_| mutator.draw(&seeds)).collect::<Vec<_>>()
        };
        assert_eq!(draw_inputs(1), draw_inputs(1));
        assert_ne!(draw_inputs(1), draw_inputs(2));
    }

    #[test]
    fn every_seed_is_changed_and_an_empty_corpus_is_allowed() {
        let mut mutator = Mutator::new(3);
        let inputs: Vec<_> = (0..200).map(|_| mutator.draw(&[vec![b'x'; 100]])).collect();
        assert!(inputs.iter().filter(|bytes| **bytes != [b'x'; 100]).count() > 150);
        assert!((0..200).all(|_| mutator.draw(&[]).len() < 200));
    }
}
