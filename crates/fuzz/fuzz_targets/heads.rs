//! `cargo xtask fuzz heads`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::heads(bytes);
});
