//! libFuzzer entry point of the target in the environment variable `VOIGHT_FUZZ_TARGET`: `cargo xtask fuzz TARGET`.
#![no_main]

use std::env;
use std::sync::LazyLock;
use voight_fuzz::{FuzzTarget, TARGETS};

const VARIABLE: &str = "VOIGHT_FUZZ_TARGET";

static CHOSEN: LazyLock<&FuzzTarget> = LazyLock::new(|| {
    let name = env::var(VARIABLE).unwrap_or_default();
    let target = TARGETS.iter().find(|target| target.name == name);
    target.unwrap_or_else(|| {
        panic!("{VARIABLE} is {name:?}, which is not a target; run `cargo xtask fuzz TARGET`")
    })
});

libfuzzer_sys::fuzz_target!(init: LazyLock::force(&CHOSEN), |bytes: &[u8]| {
    (CHOSEN.run)(bytes);
});
