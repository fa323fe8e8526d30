//! Packs the npm package that the binary serves, and makes cargo recompile the crate when a built file is added or removed.

use flate2::{Compression, GzBuilder};
use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tar::{Builder, EntryType, Header};

/// Contents of the package: path below the crate, and path in the package. Directories are packed with their files.
const CONTENTS: [(&str, &str); 6] = [
    ("../../LICENSE", "LICENSE"),
    ("npm/README.md", "README.md"),
    ("package.json", "package.json"),
    ("types", "types"),
    ("npm/assets/sdk", "assets/sdk"),
    ("dist/sdk/v1", "assets/sdk"),
];
/// Directory of all files in an archive of npm.
const ROOT: &str = "package";

/// Contents of files by their path in the package.
type Files = BTreeMap<PathBuf, Vec<u8>>;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=dist");
    let mut files = Files::new();
    for (source, target) in CONTENTS {
        println!("cargo::rerun-if-changed={source}");
        read(Path::new(source), Path::new(target), &mut files)?;
    }
    let output = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    fs::write(output.join("npm-package.tgz"), compress(&pack(&files)?)?)?;
    Ok(())
}

/// Reads a file, or the files of a directory and of those below it.
fn read(source: &Path, target: &Path, files: &mut Files) -> io::Result<()> {
    if !source.is_dir() {
        files.insert(target.to_owned(), fs::read(source)?);
        return Ok(());
    }
    for entry in fs::read_dir(source)? {
        let name = entry?.file_name();
        read(&source.join(&name), &target.join(&name), files)?;
    }
    Ok(())
}

/// Returns a tar archive of the files, sorted by path, without times and owners.
fn pack(files: &Files) -> io::Result<Vec<u8>> {
    let mut archive = Builder::new(Vec::new());
    for (path, bytes) in files {
        let mut header = Header::new_ustar();
        header.set_entry_type(EntryType::Regular);
        header.set_mode(0o644);
        header.set_size(bytes.len() as u64);
        archive.append_data(&mut header, Path::new(ROOT).join(path), bytes.as_slice())?;
    }
    archive.into_inner()
}

/// Compresses the archive, without the time and the name of the operating system in its header.
fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzBuilder::new()
        .operating_system(255)
        .write(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}
