//! Seeded random numbers.

/// Random choices of operations and arguments.
pub(super) struct Rng(fastrand::Rng);

impl Rng {
    pub(super) fn new(seed: u64) -> Self {
        Self(fastrand::Rng::with_seed(seed))
    }

    /// Returns a number below `end`, which must not be 0.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.0.u64(..end)
    }

    /// Returns `true` with a probability of `percent` percent.
    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the items, of which there must be at least one.
    pub(super) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.0.usize(..items.len())]
    }
}
