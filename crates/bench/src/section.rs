//! What is measured, one file for each part of it.

mod books;
mod check;
mod growth;
mod lookup;
mod nginx;
mod pair;
mod rates;
mod register;
mod stage;

use crate::cleanup::Cleanup;
use crate::load::Rate;
use crate::machine::{Cores, Place};
use crate::report::Findings;
use crate::say::Progress;
use crate::subject::{Service, Yardstick};
use anyhow::Result;
use std::time::Duration;

/// Something to measure.
pub(crate) struct Section {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// What it measures.
    pub(crate) about: &'static str,
    /// Measures it.
    pub(crate) run: fn(&Bench) -> Result<Findings>,
    /// Whether it is short enough for `--quick`.
    pub(crate) in_quick: bool,
}

/// All of them, in the order in which they run.
pub(crate) const SECTIONS: &[Section] = &[
    lookup::SECTION,
    nginx::SECTION,
    rates::SECTION,
    register::SECTION,
    check::SECTION,
    books::SECTION,
    growth::SECTION,
];

/// What sections measure with.
pub(crate) struct Bench {
    /// How much of everything.
    pub(crate) volume: Volume,
    /// Which core is whose.
    pub(crate) cores: Cores,
    /// Where stores lie: in memory if this machine can, and on a disk.
    pub(crate) places: Vec<Place>,
    /// What is taken away at the end.
    pub(crate) cleanup: Cleanup,
    /// Where to say what is being done.
    pub(crate) progress: Progress,
}

/// How much of everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Volume {
    /// How often what is compared is measured in turns.
    pub(crate) rounds: u32,
    /// How long each load lasts.
    pub(crate) time: Duration,
    /// How many lookups come in a second, where that is fixed.
    pub(crate) rates: &'static [Rate],
    /// How often what takes longer is measured.
    pub(crate) repeats: u32,
    /// The rows of a ledger that has many.
    pub(crate) rows: u64,
    /// The verdicts of a store that has many; first some, then more.
    pub(crate) verdicts: &'static [u64],
}

impl Volume {
    /// Within four minutes, all sections together.
    pub(crate) const QUICK: Self = Self {
        rounds: 5,
        time: Duration::from_millis(800),
        rates: &[Rate(500), Rate(2_000)],
        repeats: 3,
        rows: 30_000,
        verdicts: &[],
    };
    /// As much as a published figure needs.
    pub(crate) const FULL: Self = Self {
        rounds: 15,
        time: Duration::from_secs(2),
        rates: &[Rate(500), Rate(2_000), Rate(8_000), Rate(16_000)],
        repeats: 5,
        rows: 1_000_000,
        verdicts: &[1_000_000],
    };
    /// With the largest stores, for hours.
    pub(crate) const LARGE: Self = Self { rows: 10_000_000, verdicts: &[1_000_000, 10_000_000], ..Self::FULL };
}

impl Bench {
    fn service(&self, place: &Place) -> Result<Service> {
        Service::start(place, self.cores, &self.cleanup)
    }

    fn yardstick(&self) -> Result<Yardstick> {
        Yardstick::start(self.cores, &self.cleanup)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::flat;
    use std::path::Path;

    /// The service as it is built for tests says nothing about its cost, but all that is measured of it can be.
    fn smallest(place: Place, cleanup: &Cleanup) -> Bench {
        let volume = Volume { time: Duration::from_millis(60), rounds: 1, ..Volume::QUICK };
        let (cores, progress) = (Cores::choose().unwrap(), Progress::start());
        Bench { volume, cores, places: vec![place], cleanup: cleanup.clone(), progress }
    }

    #[test]
    fn lookups_are_measured_beside_the_static_handler_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::ram().map_or_else(|| Place::disk(folder.path()), Ok).unwrap();
        let kind = place.kind.as_str();
        let cleanup = Cleanup::default();
        let found = flat(&(lookup::SECTION.run)(&smallest(place, &cleanup)).unwrap());
        for name in ["ratio", "cpu_ratio", "p99_ratio"] {
            let ratio = found[format!("{name}_{kind}_c64")].as_f64();
            assert!(ratio.is_some_and(|ratio| ratio > 0.0), "{name}: {found}");
        }
        for connections in [1, 16, 256] {
            assert!(found[format!("ratio_{kind}_c{connections}")].is_number(), "{connections}: {found}");
        }
        assert!(cleanup.is_empty());
        let left = |folder: &Path| std::fs::read_dir(folder).unwrap().count();
        assert_eq!(left(folder.path()), 0);
    }
}
