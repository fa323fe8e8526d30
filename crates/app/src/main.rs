//! The program `voight`; everything it does is in the library, where tests can call it.

use std::process::ExitCode;

fn main() -> ExitCode {
    voight::run(std::env::args_os())
}
