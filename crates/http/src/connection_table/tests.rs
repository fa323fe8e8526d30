use super::*;
use std::net::IpAddr;
use std::task::Waker;

const NOW: Duration = Duration::ZERO;

fn table(limit: usize, limit_per_network: usize) -> Arc<ConnectionTable> {
    Arc::new(ConnectionTable::new(limit, Some(limit_per_network)))
}

fn admit(table: &Arc<ConnectionTable>, peer: &str) -> Result<ConnectionSlot, ConnectionRejection> {
    let network = Some(peer.parse::<IpAddr>().unwrap().into());
    table.admit(network, NOW).map(|admission| admission.slot)
}

fn closing(slots: &[ConnectionSlot]) -> Vec<usize> {
    (0..)
        .zip(slots)
        .filter(|(_, slot)| slot.is_closing(Waker::noop()))
        .map(|(index, _)| index)
        .collect()
}

#[test]
fn idle_connection_gives_way_to_a_new_one() {
    let table = table(4, 4);
    let mut slots: Vec<_> = ["192.0.2.1"; 3]
        .iter()
        .map(|peer| admit(&table, peer).unwrap())
        .collect();
    slots.push(admit(&table, "198.51.100.1").unwrap());
    slots[0].connection().begin_request(NOW, true);
    let newest = admit(&table, "203.0.113.1").unwrap();
    assert_eq!(
        closing(&slots),
        [1],
        "the oldest of the largest network that is not in service"
    );
    let third_network = admit(&table, "203.0.113.1").unwrap();
    assert_eq!(
        closing(&slots),
        [1, 2],
        "a connection that is closing has left its place"
    );
    drop((slots, newest, third_network));
    let open = table.lock();
    assert!(
        open.connections.is_empty() && open.networks.is_empty() && open.closing == 0,
        "{open:?}"
    );
}

#[test]
fn connection_in_service_is_never_closed() {
    let table = table(2, 2);
    let slots = ["192.0.2.1", "198.51.100.1"].map(|peer| admit(&table, peer).unwrap());
    for slot in &slots {
        slot.connection().begin_request(NOW, true);
    }
    assert_eq!(
        admit(&table, "203.0.113.1").unwrap_err(),
        ConnectionRejection::AllInUse
    );
    assert!(closing(&slots).is_empty());
    slots[1].connection().set_in_service(false);
    assert!(admit(&table, "203.0.113.1").is_ok());
    assert_eq!(closing(&slots), [1]);
}

#[test]
fn trusted_proxy_is_neither_rejected_nor_closed() {
    let table = table(2, 1);
    let proxies: Vec<_> = (0..3)
        .map(|_| table.admit(None, NOW).unwrap().slot)
        .collect();
    assert_eq!(
        admit(&table, "203.0.113.1").unwrap_err(),
        ConnectionRejection::AllInUse
    );
    assert!(closing(&proxies).is_empty());
}

#[test]
fn wider_networks_have_limits_of_their_own() {
    let table = table(1_000, 1);
    let admitted_count = |peers: Vec<String>| {
        let slots: Vec<_> = peers
            .iter()
            .filter_map(|peer| admit(&table, peer).ok())
            .collect();
        slots.len()
    };
    let v6 = |third: usize, fourth: usize| format!("2001:db8:{third:x}:{fourth:x}::1");
    assert_eq!(admitted_count(vec![v6(0, 0), v6(0, 0)]), 1, "one network");
    assert_eq!(
        admitted_count((0..100).map(|fourth| v6(0, fourth)).collect()),
        8,
        "a /48"
    );
    assert_eq!(
        admitted_count((0..100).map(|third| v6(third, 0)).collect()),
        64,
        "a /32"
    );
    assert_eq!(
        admitted_count((0..100).map(|last| format!("192.0.2.{last}")).collect()),
        8,
        "a /24"
    );
}
