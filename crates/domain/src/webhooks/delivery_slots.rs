//! Capacity of a worker for attempts at the same time.

use super::DeliveryLane;
use crate::vocabulary::ClientId;
use std::collections::BTreeMap;

/// Share of all slots that the endpoints of one client may use.
const CLIENT_SHARE: usize = 4;
/// Share of all slots that failing endpoints may use.
const FAILING_SHARE: usize = 2;

/// Slots for attempts at the same time. Neither one client nor failing endpoints can use all of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeliverySlots {
    capacity: usize,
    used: usize,
    used_by_failing: usize,
    used_by_client: BTreeMap<ClientId, usize>,
}

impl DeliverySlots {
    /// Creates at least one slot.
    pub fn new(capacity: usize) -> Self {
        Self {
            capacity: capacity.max(1),
            used: 0,
            used_by_failing: 0,
            used_by_client: BTreeMap::new(),
        }
    }

    /// Returns `true` if a slot is free for endpoints of this lane.
    pub fn has_free(&self, lane: DeliveryLane) -> bool {
        let is_free_for_lane = match lane {
            DeliveryLane::Healthy => true,
            DeliveryLane::Failing => {
                free_share(self.capacity, FAILING_SHARE, self.used_by_failing) > 0
            }
        };
        self.used < self.capacity && is_free_for_lane
    }

    /// Takes at most `limit` slots for an endpoint of a client, and returns their number.
    pub fn take(&mut self, client: ClientId, lane: DeliveryLane, limit: usize) -> usize {
        let used_by_client = self.used_by_client.get(&client).copied().unwrap_or(0);
        let free_slots = [
            self.capacity - self.used,
            free_share(self.capacity, CLIENT_SHARE, used_by_client),
            match lane {
                DeliveryLane::Healthy => limit,
                DeliveryLane::Failing => {
                    free_share(self.capacity, FAILING_SHARE, self.used_by_failing)
                }
            },
        ];
        let count = free_slots.into_iter().fold(limit, usize::min);
        if count > 0 {
            self.used += count;
            *self.used_by_client.entry(client).or_default() += count;
            if lane == DeliveryLane::Failing {
                self.used_by_failing += count;
            }
        }
        count
    }

    /// Gives slots back that were taken for this client and lane.
    pub fn give_back(&mut self, client: ClientId, lane: DeliveryLane, count: usize) {
        self.used = self.used.saturating_sub(count);
        if lane == DeliveryLane::Failing {
            self.used_by_failing = self.used_by_failing.saturating_sub(count);
        }
        let used_by_client = self.used_by_client.get(&client).copied().unwrap_or(0);
        // A client without attempts has no entry, so the size of the map is bounded by the capacity.
        match used_by_client.saturating_sub(count) {
            0 => drop(self.used_by_client.remove(&client)),
            remaining => drop(self.used_by_client.insert(client, remaining)),
        }
    }
}

fn free_share(capacity: usize, share: usize, used: usize) -> usize {
    capacity.div_ceil(share).saturating_sub(used)
}

#[cfg(test)]
mod tests {
    use super::*;
    use DeliveryLane::{Failing, Healthy};

    fn client(number: u8) -> ClientId {
        ClientId::from_bytes([number; 16])
    }

    #[test]
    fn client_uses_at_most_a_quarter() {
        let mut slots = DeliverySlots::new(16);
        assert_eq!(slots.take(client(1), Healthy, 3), 3);
        assert_eq!(slots.take(client(1), Healthy, 8), 1);
        assert_eq!(slots.take(client(1), Healthy, 8), 0);
        assert_eq!(slots.take(client(2), Healthy, 8), 4);
    }

    #[test]
    fn failing_endpoints_use_at_most_half() {
        let mut slots = DeliverySlots::new(16);
        let taken: Vec<_> = (1..=4)
            .map(|number| slots.take(client(number), Failing, 4))
            .collect();
        assert_eq!(taken, [4, 4, 0, 0]);
        assert!(!slots.has_free(Failing) && slots.has_free(Healthy));
        assert_eq!(slots.take(client(3), Healthy, 4), 4);
    }

    #[test]
    fn all_slots_are_used_and_none_twice() {
        let mut slots = DeliverySlots::new(16);
        let taken: Vec<_> = (1..=5)
            .map(|number| slots.take(client(number), Healthy, 8))
            .collect();
        assert_eq!(taken, [4, 4, 4, 4, 0]);
        assert!(!slots.has_free(Healthy) && !slots.has_free(Failing));
        slots.give_back(client(1), Healthy, 3);
        assert_eq!(slots.take(client(5), Healthy, 8), 3);
    }

    #[test]
    fn returned_slots_leave_no_trace() {
        let mut slots = DeliverySlots::new(16);
        for lane in DeliveryLane::ALL {
            let count = slots.take(client(1), lane, 2);
            slots.give_back(client(1), lane, count);
        }
        assert_eq!(slots, DeliverySlots::new(16));
    }

    #[test]
    fn one_slot_serves_everyone_in_turn() {
        let mut slots = DeliverySlots::new(0);
        assert_eq!(slots.take(client(1), Failing, 8), 1);
        assert_eq!(slots.take(client(2), Healthy, 8), 0);
        slots.give_back(client(1), Failing, 1);
        assert_eq!(slots.take(client(2), Healthy, 8), 1);
    }
}
