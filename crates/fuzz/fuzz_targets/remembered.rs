//! `cargo xtask fuzz remembered`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::remembered(bytes);
});
