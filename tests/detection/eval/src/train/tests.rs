//! Training on a small set of generated movements.

use super::*;
use fastrand::Rng;
use voight_detect::Point;
use voight_detect::model::Stroke;

/// Generates a movement: people's movements have tremor, machines' have none; each has its own curvature and speed.
fn segment(name: &str, human: bool, random: &mut Rng) -> RecordedMovement {
    let bend = random.f64() * 80.0;
    let shake = if human { 3.0 } else { 0.2 };
    let count = random.u32(25..45);
    let mut point = |at: u32| {
        let s = f64::from(at) / f64::from(count);
        let along = s * s * (3.0 - 2.0 * s);
        let off = (random.f64() - 0.5) * shake;
        let x = (400.0 * along + off).round();
        Point {
            t: f64::from(at) * 16.0,
            x,
            y: (bend * (s * 3.1).sin() + off).round(),
        }
    };
    RecordedMovement {
        source: "made_up".to_owned(),
        user: if human {
            name.to_owned()
        } else {
            "bot".to_owned()
        },
        session: String::new(),
        human,
        tool: if human {
            "human".to_owned()
        } else {
            name.to_owned()
        },
        points: (0..=count).map(&mut point).collect(),
    }
}

fn corpus(each: usize) -> Vec<RecordedMovement> {
    let mut random = Rng::with_seed(9);
    let mut of = |kind: &str, human: bool| -> Vec<RecordedMovement> {
        (0..6 * each)
            .map(|at| segment(&format!("{kind}{}", at % 6), human, &mut random))
            .collect()
    };
    [of("person", true), of("tool", false)].concat()
}

fn small() -> Settings {
    Settings {
        trees: 8,
        leaves: 6,
        ..Settings::default()
    }
}

fn bytes(trained: &Trained) -> Vec<Vec<u8>> {
    let json = |value: serde_json::Result<Vec<u8>>| value.unwrap();
    vec![
        json(serde_json::to_vec(&trained.parameters)),
        json(serde_json::to_vec(&trained.folds)),
        json(serde_json::to_vec(&trained.report)),
    ]
}

#[test]
fn training_is_deterministic() {
    let corpus = corpus(12);
    let trained_bytes = |seed| bytes(&train(&corpus, small(), seed, false).unwrap());
    assert_eq!(trained_bytes(1), trained_bytes(1));
    assert_ne!(trained_bytes(1), trained_bytes(2));
}

#[test]
fn people_are_separated_from_held_out_tools() {
    let report = train(&corpus(20), small(), 1, false).unwrap().report;
    assert!(report.auc > 0.95, "{}", report.auc);
    assert_eq!(
        (report.folds, report.people.persons, report.tools.len()),
        (6, 6, 6)
    );
    assert!(
        report.people.alarm_share <= 0.05 && report.scale.slope > 0.0,
        "{:?}",
        report.people
    );
}

#[test]
fn shuffled_labels_give_an_auc_of_one_half() {
    let report = train(&corpus(40), small(), 1, true).unwrap().report;
    assert!((report.auc - 0.5).abs() < 0.08, "{}", report.auc);
}

#[test]
fn recordings_are_evaluated_out_of_fold() {
    let corpus = corpus(4);
    let folds = Folds::assign(&corpus, 1);
    let table = TrainingSet::from_segments(&corpus, &folds, 1);
    for fold in 0..folds.count() {
        let observation = table.seen_by(Some(fold));
        assert!(
            !observation.is_empty()
                && observation
                    .iter()
                    .all(|row| folds.fold_of(&corpus[table.rows[*row].segment]) != Some(fold))
        );
    }
}

#[test]
fn a_corpus_without_bots_is_rejected() {
    let people: Vec<RecordedMovement> = corpus(2)
        .into_iter()
        .filter(|segment| segment.human)
        .collect();
    let text = train(&people, small(), 1, false).err().unwrap().to_string();
    assert!(text.contains("6 people and 0 tools"), "{text}");
}

#[test]
fn separating_feature_is_removed() {
    // The replay has the same path without every second event.
    let mut corpus: Vec<RecordedMovement> = corpus(20)
        .into_iter()
        .filter(|segment| segment.human)
        .collect();
    let replayed_segments = corpus.clone().into_iter().map(|segment| RecordedMovement {
        human: false,
        tool: REPLAY.to_owned(),
        points: segment
            .points
            .into_iter()
            .step_by(2)
            .map(|point| Point {
                t: point.t / 2.0,
                ..point
            })
            .collect(),
        ..segment
    });
    corpus.extend(replayed_segments.collect::<Vec<_>>());
    let feature_leaks = leaks(&corpus);
    assert!(
        feature_leaks[0].removed && feature_leaks[0].auc > 0.9,
        "{:?}",
        feature_leaks[0]
    );
    assert!(features_without_leaks(&feature_leaks).len() < names().count());
    assert!(
        leaks(&corpus[..30]).is_empty(),
        "no replays to compare with"
    );
}

#[test]
fn committed_models_evaluate_all_recordings() {
    let models = FoldModels::load().unwrap();
    let stranger = segment("stranger", true, &mut Rng::with_seed(3));
    assert!(!models.was_trained_on(&stranger));
    assert!(
        models
            .logit(&stranger, &mut Stroke::default())
            .is_some_and(f64::is_finite)
    );
    assert!(models.thresholds().bound >= models.thresholds().one);
}
