//! `cargo xtask fuzz labels`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::labels(bytes);
});
