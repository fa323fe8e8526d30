//! Features of a movement: its shape, never the hold of a press or the timestamps of events.

mod noise;
mod path;
mod pixels;
mod spectrum;
mod speed;
mod stalls;
mod turns;

use super::stroke::Stroke;

/// Feature of one kind: its name and its function.
type Feature<T> = (&'static str, fn(&T) -> f64);

/// Number of features.
pub const COUNT: usize = path::TABLE.len()
    + turns::TABLE.len()
    + pixels::TABLE.len()
    + speed::TABLE.len()
    + noise::TABLE.len()
    + spectrum::TABLE.len()
    + stalls::TABLE.len();

/// Features of one movement, in the order of `names`.
pub type Features = [f64; COUNT];

/// Returns the names of the features, in their order.
pub fn names() -> impl Iterator<Item = &'static str> {
    fn table_names<T>(table: &'static [Feature<T>]) -> impl Iterator<Item = &'static str> {
        table.iter().map(|(name, _)| *name)
    }
    table_names(&path::TABLE)
        .chain(table_names(&turns::TABLE))
        .chain(table_names(&pixels::TABLE))
        .chain(table_names(&speed::TABLE))
        .chain(table_names(&noise::TABLE))
        .chain(table_names(&spectrum::TABLE))
        .chain(table_names(&stalls::TABLE))
}

/// Computes the features of a usable movement, in the order of the tables in `names`.
pub(super) fn extract(stroke: &mut Stroke) -> Features {
    let mut out = FeatureSink {
        found: [0.0; COUNT],
        count: 0,
    };
    out.push_features(&path::PathFeatures::from_stroke(stroke), &path::TABLE);
    out.push_features(&turns::Turns::from_stroke(stroke), &turns::TABLE);
    out.push_features(&pixels::Pixels::from_stroke(stroke), &pixels::TABLE);
    out.push_features(&speed::Speed::from_stroke(stroke), &speed::TABLE);
    out.push_features(&noise::Noise::from_stroke(stroke), &noise::TABLE);
    out.push_features(&spectrum::Spectrum::from_stroke(stroke), &spectrum::TABLE);
    out.push_features(&stalls::Stalls::from_stroke(stroke), &stalls::TABLE);
    out.found
}

struct FeatureSink {
    found: Features,
    count: usize,
}

impl FeatureSink {
    fn push_features<T>(&mut self, of: &T, table: &[Feature<T>]) {
        for (_, measure) in table {
            let value = measure(of);
            self.found[self.count] = if value.is_finite() { value } else { 0.0 };
            self.count += 1;
        }
    }
}
