//! `cargo xtask fuzz api_key`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::api_key(bytes);
});
