//! Assignment of cores to the server and to the load.

use anyhow::{Context, Result};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Two separate cores. A machine with one core has none, and nothing is pinned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cores(Option<CorePair>);

#[derive(Debug, Clone, Copy)]
struct CorePair {
    server: usize,
    load: usize,
}

impl Cores {
    /// Chooses the first and the last core that this process may use, which share the fewest resources.
    pub(crate) fn choose() -> Result<Self> {
        let affinity =
            sched_getaffinity(None).context("the cores of this machine cannot be read")?;
        let mut usable = (0..CpuSet::MAX_CPU).filter(|core| affinity.is_set(*core));
        let first = usable.next();
        Ok(Self(
            first
                .zip(usable.next_back())
                .map(|(server, load)| CorePair { server, load }),
        ))
    }

    /// Returns `true` if server and load have separate cores.
    pub(crate) const fn are_separate(self) -> bool {
        self.0.is_some()
    }

    /// Starts a server on its core. Its threads inherit the temporary affinity of this thread.
    pub(crate) fn start_server<T>(self, start: impl FnOnce() -> Result<T>) -> Result<T> {
        let Some(CorePair { server, load }) = self.0 else {
            return start();
        };
        pin_to(server)?;
        let process = start();
        pin_to(load)?;
        process
    }

    /// Pins this thread, and all threads and processes it starts from now on, to the load core.
    pub(crate) fn pin_to_load_core(self) -> Result<()> {
        self.0.map_or(Ok(()), |pair| pin_to(pair.load))
    }
}

fn pin_to(core: usize) -> Result<()> {
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(None, &only).with_context(|| format!("cannot pin to core {core}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn server_and_load_have_different_cores() {
        let cores = Cores::choose().unwrap();
        let mine = || {
            (0..CpuSet::MAX_CPU)
                .filter(|core| sched_getaffinity(None).unwrap().is_set(*core))
                .collect::<Vec<_>>()
        };
        cores.pin_to_load_core().unwrap();
        let load = mine();
        let server = cores.start_server(|| Ok(mine())).unwrap();
        assert_eq!(cores.are_separate(), server != load);
        assert_eq!(mine(), load, "the load moved to the server's core");
    }
}
