//! `cargo xtask fuzz origin`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(voight_fuzz::targets::origin(bytes)));
