//! `cargo xtask fuzz span`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::span(bytes);
});
