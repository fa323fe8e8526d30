//! `cargo xtask fuzz context_id`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::context_id(bytes);
});
