use super::*;
use crate::evidence_schema::PointerType;
use crate::movement::Movement;
use std::f64::consts::TAU;

/// Returns a path of `count` events, one every `dt` ms.
fn stroke_points(count: u32, dt: f64, at: impl Fn(f64) -> (f64, f64)) -> Vec<Point> {
    let point = |event: u32| {
        let (x, y) = at(f64::from(event) / f64::from(count - 1));
        Point {
            t: 1000.0 + f64::from(event) * dt,
            x,
            y,
        }
    };
    (0..count).map(point).collect()
}

fn line(count: u32, dt: f64) -> Vec<Point> {
    stroke_points(count, dt, |s| (100.0 + 400.0 * s, 50.0 + 200.0 * s))
}

#[track_caller]
fn feature(points: &[Point], name: &str) -> f64 {
    let features = Stroke::default().features(points).unwrap();
    features[names()
        .position(|feature_name| feature_name == name)
        .unwrap()]
}

#[track_caller]
fn near(points: &[Point], name: &str, expected: f64) {
    let value = feature(points, name);
    assert!(
        (value - expected).abs() < 0.02,
        "{name} is {value}, not {expected}"
    );
}

#[test]
fn feature_names_are_unique() {
    let unique_names: std::collections::HashSet<_> = names().collect();
    assert_eq!((unique_names.len(), names().count()), (COUNT, COUNT));
}

#[test]
fn a_straight_even_line_is_straight_and_even() {
    for (name, expected) in [
        ("path_straightness", 1.0),
        ("path_deviation_largest", 0.0),
        ("path_slope", 0.5),
        ("turn_large", 0.0),
        ("speed_mean", 0.97),
        ("speed_slow", 0.0),
        ("stall_share", 0.0),
        ("pixel_zero_x", 0.0),
    ] {
        near(&line(40, 16.0), name, expected);
    }
}

#[test]
fn a_half_circle_bends_to_one_side() {
    let circle = stroke_points(60, 16.0, |s| {
        (
            300.0 - 200.0 * (TAU / 2.0 * s).cos(),
            300.0 - 200.0 * (TAU / 2.0 * s).sin(),
        )
    });
    near(&circle, "path_deviation_largest", 0.5);
    near(&circle, "path_deviation_one_sided", 1.0);
    near(&circle, "path_straightness", 2.0 / (TAU / 2.0));
    // Rounding to whole pixels causes small turns to both sides.
    assert!(feature(&circle, "turn_one_sided") > 0.8);
}

#[test]
fn a_swinging_speed_shows_its_frequency() {
    // The speed oscillates five times per second.
    let swing = stroke_points(60, 1000.0 / 60.0, |s| {
        (600.0 * s - 15.0 * (TAU * 5.0 * s).sin(), 10.0)
    });
    assert!(feature(&swing, "spectrum_3_to_8_hz") > 0.7);
    near(&swing, "pixel_zero_y", 1.0);
}

#[test]
fn a_stall_before_the_end_is_seen() {
    let mut points = line(40, 16.0);
    points[38..].iter_mut().for_each(|point| point.t += 300.0);
    assert!(feature(&points, "stall_longest") > 0.3);
    assert!(feature(&points, "stall_late") > 5.0);
}

#[test]
fn repeats_and_fractions_are_ignored() {
    let plain: Vec<Point> = line(40, 16.0)
        .iter()
        .map(|at| Point {
            x: at.x.round(),
            y: at.y.round(),
            ..*at
        })
        .collect();
    let mut noisy = Vec::new();
    for point in &plain {
        noisy.push(Point {
            x: point.x + 0.3,
            y: point.y - 0.4,
            ..*point
        });
        noisy.push(Point {
            t: point.t + 0.01,
            ..*point
        });
    }
    let last = *plain.last().unwrap();
    noisy.push(Point {
        t: last.t + 150.0,
        ..last
    });
    let of = |points: &[Point]| Stroke::default().features(points).unwrap();
    assert!(
        of(&plain)
            .iter()
            .zip(of(&noisy))
            .all(|(a, b)| (a - b).abs() < 1e-12)
    );
}

#[test]
fn a_fast_stream_is_sampled_as_frames_are() {
    let fast = line(320, 2.0);
    let frames = line(40, 16.0);
    for name in [
        "path_straightness",
        "speed_log_mean",
        "speed_log_frames",
        "pixel_single",
    ] {
        assert!(
            (feature(&fast, name) - feature(&frames, name)).abs() < 0.2,
            "{name}"
        );
    }
}

#[test]
fn points_before_the_movement_are_ignored() {
    let movement = line(40, 16.0);
    let mut longer_movement = vec![
        Point {
            t: 0.0,
            x: 98.0,
            y: 49.0,
        },
        Point {
            t: 10.0,
            x: 99.0,
            y: 49.0,
        },
    ];
    longer_movement.extend(&movement);
    assert!(
        (feature(&longer_movement, "stall_longest") - feature(&movement, "stall_longest")).abs()
            < 0.01
    );
}

#[test]
fn features_of_anything_are_finite_numbers() {
    let mut stroke = Stroke::default();
    let odd = |a: f64, b: f64| {
        stroke_points(50, 16.0, move |s| {
            ((s * 40.0).floor() * a, (s * 17.0).floor() * b)
        })
    };
    for points in [
        odd(1.0, 0.0),
        odd(0.0, 1.0),
        odd(1e7, -1e7),
        odd(f64::NAN, 1.0),
        odd(1e300, 1e300),
        odd(0.0, 0.0),
    ] {
        if let Ok(found) = stroke.features(&points) {
            assert!(found.iter().all(|value| value.is_finite()), "{found:?}");
        }
    }
    let back: Vec<Point> = line(40, -16.0);
    assert_eq!(
        stroke.features(&back),
        Err(UnusableMovement::Short),
        "time that runs backwards"
    );
    assert_eq!(stroke.features(&[]), Err(UnusableMovement::Short));
}

#[test]
fn sparse_streams_differ_from_slow_hands() {
    let mut stroke = Stroke::default();
    assert_eq!(
        stroke.features(&line(40, 100.0)),
        Err(UnusableMovement::Sparse)
    );
    let creeping = stroke_points(60, 60.0, |s| (100.0 + 59.0 * s, 50.0));
    assert!(stroke.features(&creeping).is_ok());
}

fn handmade_parameters() -> ModelParameters {
    let tree = Tree {
        splits: vec![Split(0, 0.99, -1, -2)],
        leaves: vec![-2.0, 3.0],
    };
    ModelParameters::new(
        7,
        vec!["path_straightness".to_owned()],
        Scale {
            slope: 2.0,
            offset: 1.0,
        },
        vec![tree; 2],
    )
}

fn mouse(points: Vec<Point>) -> Movement {
    Movement {
        pointer: PointerType::Mouse,
        points,
    }
}

#[track_caller]
fn judge(movements: &[Movement]) -> ModelJudgement {
    Model::new(handmade_parameters())
        .unwrap()
        .judge(movements, &mut Stroke::default())
}

#[test]
fn movements_are_judged_by_mean_logit() {
    let bent = stroke_points(40, 16.0, |s| (400.0 * s, 200.0 * (s * TAU / 2.0).sin()));
    let straight = || mouse(line(40, 16.0));
    assert_eq!(
        judge(&[straight(), straight()]),
        ModelJudgement::Judged {
            version: 7,
            movements: 2,
            nats: 13.0
        }
    );
    assert_eq!(
        judge(&[straight(), mouse(bent.clone())]),
        ModelJudgement::Judged {
            version: 7,
            movements: 2,
            nats: 3.0
        }
    );
    let hand = judge(&[mouse(bent.clone()), mouse(bent)]);
    assert_eq!(
        hand,
        ModelJudgement::Judged {
            version: 7,
            movements: 2,
            nats: -7.0
        }
    );
}

#[test]
fn model_abstains_on_other_pointers() {
    let straight = || mouse(line(40, 16.0));
    let with_pointer = |pointer| Movement {
        pointer,
        ..straight()
    };
    for pointer in [PointerType::Touch, PointerType::Pen, PointerType::Other] {
        assert_eq!(
            judge(&[straight(), with_pointer(pointer)]),
            ModelJudgement::Abstains(Abstention::Pointer)
        );
    }
    let remote = mouse(line(40, 90.0));
    assert_eq!(
        judge(&[straight(), remote]),
        ModelJudgement::Abstains(Abstention::Sparse)
    );
    assert_eq!(
        judge(&[straight(), mouse(line(4, 16.0))]),
        ModelJudgement::Abstains(Abstention::TooFew)
    );
    assert_eq!(judge(&[]), ModelJudgement::Abstains(Abstention::TooFew));
    assert_eq!(judge(&[]).version(), 0);
}

#[test]
fn further_movements_keep_the_judgement() {
    let straight = || mouse(line(40, 16.0));
    let pen = Movement {
        pointer: PointerType::Pen,
        ..straight()
    };
    for third in [pen, mouse(line(40, 90.0)), mouse(line(4, 16.0))] {
        let judgement = judge(&[straight(), straight(), third]);
        assert_eq!(
            judgement,
            ModelJudgement::Judged {
                version: 7,
                movements: 2,
                nats: 13.0
            }
        );
    }
}

#[track_caller]
fn rejected(change: impl FnOnce(&mut serde_json::Value), says: &str) {
    let mut file = serde_json::to_value(handmade_parameters()).unwrap();
    change(&mut file);
    let fault = Model::read(file.to_string().as_bytes())
        .unwrap_err()
        .to_string();
    assert!(
        fault.contains(says) && fault.contains("detect train"),
        "{fault}"
    );
}

#[test]
fn corrupt_model_file_is_rejected() {
    rejected(
        |file| file["format"] = "another-model".into(),
        "`format` is `another-model`",
    );
    rejected(|file| file["version"] = 0.into(), "`version` is 0");
    rejected(
        |file| file["features"][0] = "mood".into(),
        "the feature `mood`",
    );
    rejected(
        |file| file["scales"]["mouse"]["slope"] = 0.into(),
        "slope must be positive",
    );
    rejected(
        |file| file["scales"]["touch"] = 1.into(),
        "unknown field `touch`",
    );
    rejected(|file| file["trees"] = serde_json::json!([]), "0 trees");
    rejected(
        |file| file["trees"][1]["splits"][0][2] = 0.into(),
        "tree 1 has a split or leaf that leads nowhere",
    );
    rejected(
        |file| file["trees"][0]["leaves"] = serde_json::json!([1.0]),
        "tree 0",
    );
    let json = serde_json::to_vec(&handmade_parameters()).unwrap();
    assert!(
        Model::read(&json[..json.len() / 2])
            .unwrap_err()
            .to_string()
            .contains("EOF")
    );
}

#[test]
fn model_of_this_release_is_valid() {
    let model = Model::read(include_bytes!("../../model/behaviour.json")).unwrap();
    assert!(model.version() >= 1 && Model::released().version() == model.version());
}
