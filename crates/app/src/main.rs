//! Program `voight`. All logic is in the library, so that tests can call it.

use mimalloc::MiMalloc;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    voight::run(std::env::args_os())
}
