//! `cargo xtask fuzz wallet_signature`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::wallet_signature(bytes);
});
