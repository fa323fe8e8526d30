//! Builds the documentation site, and writes its files with the table that embeds them.

use flate2::{Compression, GzBuilder};
use std::error::Error;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Extensions of files that are compressed already.
const COMPRESSED: [&str; 1] = ["png"];

fn main() -> Result<(), Box<dyn Error>> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()?;
    let output = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    let site = voight_book::build(&repository)?;
    println!(
        "cargo::rerun-if-changed={}",
        repository.join("docs").display()
    );
    for source in site
        .sources
        .iter()
        .filter(|source| repository.join(source).exists())
    {
        println!(
            "cargo::rerun-if-changed={}",
            repository.join(source).display()
        );
    }
    let mut table = "&[\n".to_owned();
    for (number, (path, bytes)) in site.files.iter().enumerate() {
        let is_gzip = !COMPRESSED.contains(&path.rsplit('.').next().unwrap_or_default());
        let stored = if is_gzip {
            compress(bytes)?
        } else {
            bytes.clone()
        };
        let file = output.join(number.to_string());
        fs::write(&file, stored)?;
        let tag = &blake3::hash(bytes).to_hex()[..32];
        writeln!(
            table,
            "File {{ path: {path:?}, stored: include_bytes!({:?}), is_gzip: {is_gzip}, etag: \"\\\"{tag}\\\"\" }},",
            file.display().to_string()
        )?;
    }
    table.push(']');
    fs::write(output.join("files.rs"), table)?;
    Ok(())
}

/// Compresses a file, without the time and the name of the operating system in its header.
fn compress(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzBuilder::new()
        .operating_system(255)
        .write(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}
