//! `cargo xtask fuzz policy`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::policy(bytes);
});
