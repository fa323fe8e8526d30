use super::*;
use crate::table;
use proptest::prelude::*;
use std::fs;
use voight_engine::OpenError;
use voight_engine::testing::FaultyEngine;
use voight_engine::{Engine, checksum};

const AT: StoreLocation<'_> = StoreLocation {
    place: "here",
    sidecar: "here.id",
};

fn identity_init(byte: u8) -> IdentityInit {
    IdentityInit {
        pepper: PepperCommitment([7; 16]),
        now: Timestamp::from_millis(1_800_000_000_000),
        entropy: [byte; 10],
        format: FORMAT,
    }
}

fn put(engine: &FaultyEngine, identity: &Identity) {
    let at = table::identity();
    let value = checksum::with_checksum(&at.key, identity.encode());
    engine.modify_entries(|map| drop(map.insert(at.key, value)));
}

#[test]
fn new_store_keeps_its_identity() {
    let engine = FaultyEngine::default();
    let first = load_or_create(&engine, None, &identity_init(1), AT).unwrap();
    assert_eq!(first.id().len(), 26);
    assert_eq!(
        load_or_create(&engine, Some(&first), &identity_init(2), AT),
        Ok(first)
    );
    assert_eq!(
        load_or_create(&engine, None, &identity_init(2), AT),
        Ok(first)
    );
}

#[test]
fn unexpectedly_empty_store_is_rejected() {
    let identity = load_or_create(&FaultyEngine::default(), None, &identity_init(1), AT).unwrap();
    let empty = FaultyEngine::default();
    let error = load_or_create(&empty, Some(&identity), &identity_init(1), AT).unwrap_err();
    assert!(
        matches!(error, OpenError::DatabaseMissing { .. }),
        "{error}"
    );
    assert_eq!(empty.applies(), 0);
}

#[test]
fn other_pepper_is_rejected() {
    let engine = FaultyEngine::default();
    load_or_create(&engine, None, &identity_init(1), AT).unwrap();
    let other_pepper = IdentityInit {
        pepper: PepperCommitment([8; 16]),
        ..identity_init(1)
    };
    assert_eq!(
        load_or_create(&engine, None, &other_pepper, AT),
        Err(OpenError::OtherPepper {
            place: "here".into()
        })
    );
}

#[test]
fn newer_format_is_rejected() {
    let engine = FaultyEngine::default();
    let identity = load_or_create(&engine, None, &identity_init(1), AT).unwrap();
    put(
        &engine,
        &Identity {
            format: FORMAT + 1,
            ..identity
        },
    );
    let newer = OpenError::Newer {
        place: "here".into(),
        found: FORMAT + 1,
        known: FORMAT,
    };
    assert_eq!(
        load_or_create(&engine, None, &identity_init(1), AT),
        Err(newer)
    );
}

#[test]
fn foreign_database_is_rejected() {
    let engine = FaultyEngine::default();
    engine.modify_entries(|map| drop(map.insert(b"theirs".to_vec(), b"data".to_vec())));
    assert_eq!(
        load_or_create(&engine, None, &identity_init(1), AT),
        Err(OpenError::NotAStore {
            place: "here".into()
        })
    );
    assert_eq!(engine.applies(), 0);
}

#[test]
fn damaged_identity_is_not_a_new_store() {
    let engine = FaultyEngine::default();
    load_or_create(&engine, None, &identity_init(1), AT).unwrap();
    engine.modify_entries(|map| map.values_mut().for_each(|value| value[1] ^= 1));
    assert!(matches!(
        load_or_create(&engine, None, &identity_init(1), AT),
        Err(OpenError::Damaged { .. })
    ));
}

#[test]
fn parts_of_two_stores_are_rejected() {
    let first_engine = FaultyEngine::default();
    let second_engine = FaultyEngine::default();
    let first = load_or_create(&first_engine, None, &identity_init(1), AT).unwrap();
    let second = load_or_create(&second_engine, None, &identity_init(2), AT).unwrap();
    assert!(matches!(
        load_or_create(&first_engine, Some(&second), &identity_init(1), AT),
        Err(OpenError::PartsMismatch { .. })
    ));
    assert!(matches!(
        attach_database(&second_engine, &first, "evidence"),
        Err(OpenError::PartsMismatch { .. })
    ));
    let fresh = FaultyEngine::default();
    assert_eq!(attach_database(&fresh, &first, "evidence"), Ok(()));
    assert_eq!(attach_database(&fresh, &first, "evidence"), Ok(()));
    assert!(fresh.snapshot().is_ok());
}

#[test]
fn sidecar_round_trips() {
    let folder = tempfile::tempdir().unwrap();
    let sidecar = Sidecar::for_store(&folder.path().join("store"));
    assert_eq!(sidecar.read(FORMAT), Ok(None));
    let identity = load_or_create(&FaultyEngine::default(), None, &identity_init(3), AT).unwrap();
    sidecar.write(&identity).unwrap();
    assert_eq!(sidecar.read(FORMAT), Ok(Some(identity)));
    assert!(
        fs::read_to_string(sidecar.path())
            .unwrap()
            .contains(&format!("id = {}", identity.id()))
    );
}

#[test]
fn invalid_sidecar_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let sidecar = Sidecar::for_store(&folder.path().join("store"));
    for (text, what) in [
        ("", "`format = …` is missing"),
        ("format = 1\nid = nonsense\n", "a ULID"),
        ("format = one\n", "format is a number"),
        ("format = 0\n", "format is a number from 1 on"),
    ] {
        fs::write(sidecar.path(), text).unwrap();
        let error = sidecar.read(FORMAT).unwrap_err();
        assert!(
            matches!(error, OpenError::Damaged { .. }) && error.to_string().contains(what),
            "{error}"
        );
    }
    fs::write(sidecar.path(), "format = 9\nsomething = new\n").unwrap();
    assert!(matches!(
        sidecar.read(FORMAT),
        Err(OpenError::Newer {
            found: 9,
            known: FORMAT,
            ..
        })
    ));
}

proptest! {
    #[test]
    fn decoder_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..60), version in 0..3_u8) {
        let _ = Identity::decode(&[&[version][..], &bytes].concat());
    }
}
