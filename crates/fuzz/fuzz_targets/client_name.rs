//! `cargo xtask fuzz client_name`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::client_name(bytes);
});
