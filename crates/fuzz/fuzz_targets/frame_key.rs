//! `cargo xtask fuzz frame_key`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::frame_key(bytes);
});
