//! `cargo xtask fuzz idempotency_key`
#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    voight_fuzz::targets::idempotency_key(bytes);
});
