//! `cargo xtask fuzz store_url`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::store_url(bytes);
});
