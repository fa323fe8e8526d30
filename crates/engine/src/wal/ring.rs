//! Ring buffer over the log file.

/// Part of the ring that is in use. Positions increase monotonically and are not reset when the ring wraps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ring {
    size: u64,
    /// Position of the oldest entry that is still needed.
    head: u64,
    /// Position of the next entry.
    tail: u64,
}

impl Ring {
    /// Creates an empty ring buffer of `size` bytes whose first entry is written at `offset`.
    pub(super) const fn new(size: u64, offset: u64) -> Self {
        Self {
            size,
            head: offset,
            tail: offset,
        }
    }

    /// Returns the position for an entry of `length` bytes, if there is room. No entry wraps around the end of the
    /// ring.
    pub(super) fn position_for(&self, length: u64) -> Option<u64> {
        let bytes_to_end = self.size - self.offset(self.tail);
        let start = if length <= bytes_to_end {
            self.tail
        } else {
            self.tail + bytes_to_end
        };
        (length <= self.size && start + length - self.head <= self.size).then_some(start)
    }

    /// Marks everything before `end` as written.
    pub(super) const fn advance_tail(&mut self, end: u64) {
        self.tail = end;
    }

    /// Frees everything before `head`.
    pub(super) const fn advance_head(&mut self, head: u64) {
        self.head = head;
    }

    /// Returns the position of the next entry.
    pub(super) const fn tail(&self) -> u64 {
        self.tail
    }

    /// Returns the number of bytes in use.
    pub(super) const fn used(&self) -> u64 {
        self.tail - self.head
    }

    /// Returns `true` if at least half of the ring is in use, and a checkpoint is due.
    pub(super) const fn is_half_full(&self) -> bool {
        self.used() >= self.size / 2
    }

    /// Returns `true` if at least three quarters of the ring are in use.
    pub(super) const fn is_nearly_full(&self) -> bool {
        self.used() >= self.size / 4 * 3
    }

    /// Returns the offset in the ring of a position.
    pub(super) const fn offset(&self, position: u64) -> u64 {
        position % self.size
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oversized_tail_entry_begins_next_lap() {
        let mut ring = Ring::new(100, 0);
        assert_eq!(ring.position_for(60), Some(0));
        ring.advance_tail(60);
        assert_eq!(ring.position_for(40), Some(60));
        assert_eq!(ring.position_for(41), None);
        ring.advance_head(60);
        assert_eq!(ring.position_for(40), Some(60));
        assert_eq!(ring.position_for(41), Some(100));
        assert_eq!(ring.position_for(60), Some(100));
        assert_eq!(
            ring.position_for(61),
            None,
            "it would run into what is left at the end"
        );
        ring.advance_tail(160);
        assert_eq!(ring.used(), 100);
        assert_eq!(ring.offset(ring.tail()), 60);
        assert_eq!(ring.position_for(1), None);
    }

    #[test]
    fn ring_reports_its_fill_level() {
        let fullness = |tail: u64| {
            let mut ring = Ring::new(100, 30);
            ring.advance_tail(30 + tail);
            (ring.is_half_full(), ring.is_nearly_full())
        };
        assert_eq!(
            [0, 49, 50, 74, 75, 100].map(fullness),
            [
                (false, false),
                (false, false),
                (true, false),
                (true, false),
                (true, true),
                (true, true),
            ]
        );
    }

    #[test]
    fn entry_larger_than_ring_has_no_position() {
        assert_eq!(Ring::new(100, 0).position_for(101), None);
        assert_eq!(Ring::new(100, 0).position_for(100), Some(0));
    }
}
