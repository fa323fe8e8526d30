//! `cargo xtask fuzz record`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::record(bytes);
});
