//! Which part of the log is in use.

/// Places in a log that is written round and round. Positions count on from lap to lap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ring {
    size: u64,
    /// Where the oldest entry is that the log is still needed for.
    head: u64,
    /// Where the next one goes.
    tail: u64,
}

impl Ring {
    /// A ring of so many bytes with nothing in it, that goes on at `offset`.
    pub(super) const fn new(size: u64, offset: u64) -> Self {
        Self { size, head: offset, tail: offset }
    }

    /// The position of an entry of so many bytes, if there is room for it. No entry goes on at the beginning of the ring.
    pub(super) fn position_for(&self, length: u64) -> Option<u64> {
        let left = self.size - self.offset(self.tail);
        let start = if length <= left { self.tail } else { self.tail + left };
        (length <= self.size && start + length - self.head <= self.size).then_some(start)
    }

    /// Takes what was written up to here into use.
    pub(super) const fn advance_tail(&mut self, end: u64) {
        self.tail = end;
    }

    /// Gives back what is before this position.
    pub(super) const fn advance_head(&mut self, head: u64) {
        self.head = head;
    }

    /// Where the next entry goes.
    pub(super) const fn tail(&self) -> u64 {
        self.tail
    }

    /// The bytes in use.
    pub(super) const fn used(&self) -> u64 {
        self.tail - self.head
    }

    /// Whether it is time to give something back.
    pub(super) const fn is_half_full(&self) -> bool {
        self.used() >= self.size / 2
    }

    /// Whether there is soon no room for an entry.
    pub(super) const fn is_nearly_full(&self) -> bool {
        self.used() >= self.size / 4 * 3
    }

    /// Where a position is in the ring.
    pub(super) const fn offset(&self, position: u64) -> u64 {
        position % self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_that_does_not_fit_at_the_end_begins_the_next_lap() {
        let mut ring = Ring::new(100, 0);
        assert_eq!(ring.position_for(60), Some(0));
        ring.advance_tail(60);
        assert_eq!((ring.position_for(40), ring.position_for(41)), (Some(60), None));
        ring.advance_head(60);
        assert_eq!(
            (ring.position_for(40), ring.position_for(41), ring.position_for(60)),
            (Some(60), Some(100), Some(100))
        );
        assert_eq!(ring.position_for(61), None, "it would run into what is left at the end");
        ring.advance_tail(160);
        assert_eq!((ring.used(), ring.offset(ring.tail()), ring.position_for(1)), (100, 60, None));
    }

    #[test]
    fn it_is_known_how_full_it_is() {
        let fullness = |tail: u64| {
            let mut ring = Ring::new(100, 30);
            ring.advance_tail(30 + tail);
            (ring.is_half_full(), ring.is_nearly_full())
        };
        assert_eq!(
            [0, 49, 50, 74, 75, 100].map(fullness),
            [(false, false), (false, false), (true, false), (true, false), (true, true), (true, true),]
        );
    }

    #[test]
    fn what_is_larger_than_the_ring_has_no_place() {
        assert_eq!(Ring::new(100, 0).position_for(101), None);
        assert_eq!(Ring::new(100, 0).position_for(100), Some(0));
    }
}
