//! Changes that affect a fingerprint, and changes that do not.

use super::*;
use crate::evidence_schema::PointerType;
use crate::movement::Point;
use crate::rules::CauseGroup;
use crate::testing::CheckBuilder;
use proptest::prelude::*;
use serde_json::json;
use std::f64::consts::PI;
use voight_domain::linkage::{DEVICE_OR_NETWORK, MatchThresholds, TRACE_REUSE};

/// Generates the movement of a person with an individual bend and rhythm.
fn movement_of_person(number: u32) -> Movement {
    let [bend, wave, brake] =
        [0.13, 0.37, 0.71].map(|step| (f64::from(number) * step).fract() - 0.5);
    let place = |at: u32| {
        let u = f64::from(at) / 40.0;
        let s = u + 0.3 * brake * (2.0 * PI * u).sin() / PI + 0.2 * (PI * u).sin() * brake;
        let aside = bend * (PI * s).sin() + 0.4 * wave * (2.0 * PI * s).sin();
        Point {
            t: 16.0 * f64::from(at),
            x: (40.0 + 300.0 * s).round(),
            y: (400.0 + 200.0 * aside).round(),
        }
    };
    Movement {
        pointer: PointerType::Mouse,
        points: (0..=40).map(place).collect(),
    }
}

fn each(movement: &Movement, change: impl FnMut(&Point) -> Point) -> Movement {
    Movement {
        points: movement.points.iter().map(change).collect(),
        ..movement.clone()
    }
}

fn is_same(one: &Movement, other: &Movement) -> bool {
    movement_fingerprint(one).unwrap().matches(
        &movement_fingerprint(other).unwrap(),
        MatchThresholds::for_index_size(5000),
    )
}

fn turned(movement: &Movement, by: f64, scale: f64, mirror: f64) -> Movement {
    let (sin, cos) = by.sin_cos();
    each(movement, |point| Point {
        x: scale * (cos * point.x - sin * point.y) + 17.0,
        y: mirror * scale * (sin * point.x + cos * point.y) - 4.0,
        ..*point
    })
}

proptest! {
    #[test]
    fn fingerprint_ignores_place_size_and_mirror(number in 1..500_u32, by in 0.0..6.3, scale in 0.6..3.0, mirrored: bool) {
        let mirror = if mirrored { -1.0 } else { 1.0 };
        prop_assert!(is_same(&movement_of_person(number), &turned(&movement_of_person(number), by, scale, mirror)));
    }

    #[test]
    fn no_numbers_make_it_panic(points in prop::collection::vec((any::<f64>(), any::<f64>(), any::<f64>()), 0..60)) {
        let points = points.into_iter().map(|(t, x, y)| Point { t, x, y }).collect();
        let _ = movement_fingerprint(&Movement { pointer: PointerType::Mouse, points });
    }

    #[test]
    fn no_wire_numbers_make_it_panic(numbers in prop::collection::vec(any::<[i64; 3]>(), 14..60)) {
        #[expect(clippy::cast_precision_loss, reason = "as the wire's numbers become points")]
        let points = numbers.into_iter().map(|[t, x, y]| Point { t: t as f64, x: x as f64, y: y as f64 }).collect();
        let _ = movement_fingerprint(&Movement { pointer: PointerType::Mouse, points });
    }
}

#[test]
fn other_hand_has_another_trace() {
    for (one, other) in (1..8).flat_map(|person| (1..person).map(move |another| (person, another)))
    {
        assert!(
            !is_same(&movement_of_person(one), &movement_of_person(other)),
            "{one} and {other}"
        );
    }
}

#[test]
fn fingerprint_is_robust_to_noise_and_rhythm() {
    for number in 1..40 {
        let original = movement_of_person(number);
        let mut sign = 1.0;
        let shaken = each(&original, |point| {
            sign = -sign;
            Point {
                x: point.x + 0.7 * sign,
                y: point.y - 0.7 * sign,
                ..*point
            }
        });
        assert!(is_same(&original, &shaken), "noise on {number}");
        let slower = each(&original, |point| {
            let u = point.t / 640.0;
            Point {
                t: 900.0 * (u + 0.1 * (PI * u).sin() / PI),
                ..*point
            }
        });
        assert!(is_same(&original, &slower), "another rhythm of {number}");
    }
}

#[test]
fn short_or_sparse_movements_have_no_trace() {
    let far = movement_of_person(7);
    let near = each(&far, |point| Point {
        x: 40.0 + (point.x - 40.0) * 0.19,
        y: 400.0,
        ..*point
    });
    assert_eq!(movement_fingerprint(&near), None);
    let sparse = Movement {
        points: far.points.iter().copied().step_by(4).collect(),
        ..far.clone()
    };
    assert_eq!(sparse.points.len(), 11);
    assert_eq!(movement_fingerprint(&sparse), None);
    assert!(movement_fingerprint(&far).is_some());
}

#[test]
fn non_finite_values_have_no_trace() {
    for strange in [f64::NAN, f64::INFINITY, f64::MAX] {
        let odd = each(&movement_of_person(7), |point| Point {
            y: if point.t > 300.0 { strange } else { point.y },
            ..*point
        });
        let fingerprint = movement_fingerprint(&odd);
        assert!(fingerprint.is_none() || strange.is_finite(), "{strange}");
    }
}

#[test]
fn each_pointer_press_leaves_a_trace() {
    assert_eq!(CheckBuilder::person().assess().link_signals.traces.len(), 2);
    assert!(
        CheckBuilder::keyboard()
            .assess()
            .link_signals
            .traces
            .is_empty()
    );
}

#[test]
fn device_needs_several_equal_marks() {
    let device = |first: serde_json::Value, second: serde_json::Value| {
        let mut draft = CheckBuilder::person();
        (draft.first["device"], draft.second["device"]) = (first, second);
        draft.assess().link_signals.device
    };
    let marks = json!({"canvas": "c", "audio": "a", "fonts": "f", "localId": "1"});
    let fingerprint = device(marks.clone(), marks.clone());
    assert!(fingerprint.is_some());
    let mut other_marks = marks.clone();
    other_marks["localId"] = "2".into();
    assert_eq!(
        device(marks.clone(), other_marks.clone()),
        fingerprint,
        "a profile is no machine"
    );
    other_marks["fonts"] = "other".into();
    assert_ne!(
        device(other_marks.clone(), other_marks.clone()),
        fingerprint
    );
    assert_eq!(
        device(marks.clone(), other_marks),
        None,
        "the batches disagree"
    );
    assert_eq!(
        device(json!({"canvas": "c"}), json!({"canvas": "c"})),
        None,
        "a picture alone"
    );
    let half = json!({"canvas": "c", "audio": "a", "webgl": {"vendor": "v"}});
    assert_eq!(
        device(half.clone(), half),
        None,
        "graphics that were seen by half"
    );
}

#[test]
fn link_groups_equal_rule_groups() {
    assert_eq!(
        (TRACE_REUSE, DEVICE_OR_NETWORK),
        (
            CauseGroup::TraceReuse.as_str(),
            CauseGroup::DeviceOrNetwork.as_str()
        )
    );
    assert!(CauseGroup::TraceReuse.convicts() && !CauseGroup::DeviceOrNetwork.convicts());
}
