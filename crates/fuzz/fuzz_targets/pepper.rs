//! `cargo xtask fuzz pepper`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::pepper(bytes);
});
