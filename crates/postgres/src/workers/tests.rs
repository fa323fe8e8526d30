use super::*;
use futures_util::FutureExt;

fn node(group: u64, parts: u64) -> Node {
    let permits = Arc::new(Semaphore::new(OF_A_NODE));
    Node {
        group,
        name: format!("w{group}"),
        port: 5432,
        parts,
        trouble: None,
        permits,
        given_up: Arc::default(),
    }
}

fn workers() -> (Workers, [ClientId; 2]) {
    let clients = [1, 2].map(|byte| ClientId::from_bytes([byte; 16]));
    let of_client = clients.into_iter().zip([1, 2]).collect();
    let nodes = vec![node(0, 0), node(1, 24), node(2, 8)];
    let state = Mutex::new(State { nodes, of_client });
    (
        Workers {
            state,
            others: Arc::new(Semaphore::new(OF_NO_NODE)),
            hosts: Vec::new(),
        },
        clients,
    )
}

/// Acquires a permit that must be available at once.
fn now(workers: &Workers, lane: Lane) -> Option<Result<Option<OwnedSemaphorePermit>, Error>> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let _entered = runtime.enter();
    workers.admit(lane).now_or_never()
}

#[test]
fn hanging_worker_takes_no_other_permits() {
    let (workers, [first_client, second_client]) = workers();
    let permits: Vec<_> = std::iter::from_fn(|| now(&workers, Lane::Of(first_client))).collect();
    assert_eq!(permits.len(), OF_A_NODE);
    assert!(matches!(
        now(&workers, Lane::Of(second_client)),
        Some(Ok(Some(_)))
    ));
    let permits: Vec<_> = std::iter::from_fn(|| now(&workers, Lane::Any)).collect();
    assert_eq!(permits.len(), OF_NO_NODE);
    assert!(
        matches!(now(&workers, Lane::Local), Some(Ok(None))),
        "copies are read without a permit"
    );
    assert!(matches!(
        now(&workers, Lane::Of(second_client)),
        Some(Ok(Some(_)))
    ));
}

#[test]
fn hanging_worker_degrades_health() {
    let (workers, [first_client, second_client]) = workers();
    assert_eq!(workers.health(), Health::Ready);
    workers.note(1, Some("it hangs".to_owned()));
    let message = now(&workers, Lane::Of(first_client))
        .unwrap()
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("w1:5432") && message.contains("it hangs"),
        "{message}"
    );
    assert!(matches!(
        now(&workers, Lane::Of(second_client)),
        Some(Ok(Some(_)))
    ));
    assert_eq!(
        workers.health(),
        Health::Degraded {
            percent: 75,
            why: "w1:5432: it hangs".to_owned()
        }
    );
    workers.note(1, None);
    assert_eq!(workers.health(), Health::Ready);
}

#[test]
fn added_worker_keeps_state_of_others() {
    let (workers, [first_client, second_client]) = workers();
    workers.note(1, Some("it hangs".to_owned()));
    let same = vec![node(0, 0), node(1, 24), node(2, 8)];
    workers.replace(same);
    assert_eq!(
        workers.known(second_client),
        Some(2),
        "locations are cached while no shard is moved"
    );
    assert!(workers.is_given_up(first_client));
    workers.replace(vec![node(0, 0), node(1, 24), node(2, 6), node(3, 2)]);
    assert_eq!(
        workers.known(second_client),
        None,
        "a client may have been moved"
    );
    assert_eq!(
        workers
            .nodes()
            .iter()
            .map(|node| node.group)
            .collect::<Vec<_>>(),
        [0, 1, 2, 3]
    );
    workers.note(3, Some("fsync = off".to_owned()));
    let why = "w1:5432: it hangs; w3:5432: fsync = off".to_owned();
    assert_eq!(workers.health(), Health::Degraded { percent: 82, why });
}
