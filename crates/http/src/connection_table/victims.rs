//! Choice of the connections that give way to new ones.

use crate::limits::Network;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Factor that makes shares of networks of all widths whole numbers.
const SCALE: usize = Network::MAX_MULTIPLE;

/// Connection that waits for its client.
#[derive(Debug, Clone, Copy)]
pub(super) struct WaitingConnection {
    pub(super) id: u64,
    pub(super) network: Network,
    /// Time of its last request.
    pub(super) since: u64,
}

/// Returns the ids of at most `count` connections to close: those of the network with most connections first, and of its
/// connections the one that has waited longest. A wider network may have as many more connections as its limit is larger.
///
/// `networks` has the number of connections of each network.
pub(super) fn choose_victims(
    mut waiting: Vec<WaitingConnection>,
    mut networks: HashMap<Network, usize>,
    count: usize,
) -> Vec<u64> {
    waiting.sort_unstable_by_key(|connection| (connection.since, connection.id));
    // Each connection is ranked by the size that its networks have after all older ones are closed.
    let mut candidates: Vec<_> = (waiting.into_iter().enumerate())
        .map(|(age, connection)| {
            let mut size = 0;
            for (network, multiple) in connection.network.widths() {
                let open = networks.entry(network).or_insert(1);
                size = size.max(*open * SCALE / multiple);
                *open = open.saturating_sub(1);
            }
            (Reverse(size), age, connection.id)
        })
        .collect();
    candidates.sort_unstable();
    candidates
        .into_iter()
        .take(count)
        .map(|(.., id)| id)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    /// Returns the victims among connections from `peers`, the first of which has waited longest.
    fn victims(peers: &[&str], count: usize) -> Vec<u64> {
        let networks: Vec<Network> = peers
            .iter()
            .map(|peer| peer.parse::<IpAddr>().unwrap().into())
            .collect();
        let mut open = HashMap::new();
        for (network, _) in networks.iter().flat_map(|network| network.widths()) {
            *open.entry(network).or_default() += 1;
        }
        let waiting = |(since, network)| WaitingConnection {
            id: since,
            network,
            since,
        };
        choose_victims((0..).zip(networks).map(waiting).collect(), open, count)
    }

    #[test]
    fn oldest_of_the_largest_network_is_closed_first() {
        let few = "192.0.2.1";
        let many = "198.51.100.1";
        let single = "203.0.113.1";
        let peers = [single, few, few, many, many, many, many];
        assert_eq!(victims(&peers, 1), [3]);
        assert_eq!(
            victims(&peers, 3),
            [3, 4, 1],
            "the networks are equally large then"
        );
        assert_eq!(victims(&peers, 7), [3, 4, 1, 5, 0, 2, 6]);
    }

    #[test]
    fn connections_from_many_small_networks_count_as_one() {
        let networks: Vec<_> = (0..40)
            .map(|network| format!("2001:db8:1:{network:x}::1"))
            .collect();
        let mut peers = vec![
            "2001:db8:2:1::1",
            "2001:db8:2:1::1",
            "192.0.2.1",
            "192.0.2.1",
        ];
        peers.extend(networks.iter().map(String::as_str));
        assert_eq!(victims(&peers, 3), [4, 5, 6]);
    }
}
