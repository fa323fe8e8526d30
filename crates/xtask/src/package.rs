//! `cargo xtask package`: writes the packages of a release.
//!
//! After the set-up nothing is downloaded, and the same commit has the same bytes in every directory.

mod archive;
mod binary;
mod image;
mod linux;
mod notices;
mod npm;
mod provenance;
mod release;
mod sbom;
mod stage;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::Result;
use clap::{Args, ValueEnum};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use self::release::Release;
use crate::workspace::Workspace;
use crate::{console, files, lint, process, setup};

/// File with the digest of every other file of a release.
const CHECKSUMS: &str = "SHA256SUMS";

/// Arguments of `cargo xtask package`.
#[derive(Debug, Args)]
pub(crate) struct Package {
    /// Write only this package [default: all packages of a release]
    #[arg(long, value_name = "NAME", value_enum)]
    only: Option<Selection>,
    /// Output directory, which must be empty or new [default: `package` or `npm` in the target directory, replaced]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Fail unless this is the tag of the version, the checkout has no changes, and no dependency has a known vulnerability or
    /// an unknown licence
    #[arg(long, value_name = "TAG", conflicts_with = "only")]
    tag: Option<String>,
    /// Secret key of minisign, which signs the list of checksums
    #[arg(long, value_name = "FILE", conflicts_with = "only")]
    sign: Option<PathBuf>,
}

/// Package that can be written alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Selection {
    /// npm package `@voight/check`
    Npm,
}

/// Installs the required tools, and writes the packages.
pub(crate) fn run(arguments: Package) -> Result<ExitCode> {
    let workspace = Workspace::locate()?;
    if arguments.only == Some(Selection::Npm) {
        let dir = files::empty_dir(arguments.out, workspace.npm_package())?;
        let archive = npm::write(&dir)?;
        console::line(format_args!(
            "the package is written; install it with: npm install {}",
            archive.display()
        ));
    } else {
        setup::ensure_package(&workspace)?;
        let dir = files::empty_dir(arguments.out, workspace.target().join("package"))?;
        let release = Release::describe(&workspace, dir)?;
        if let Some(tag) = &arguments.tag {
            release.check_tag(tag)?;
            setup::ensure_deny(&workspace)?;
            lint::check_dependencies(&workspace)?;
        }
        write_release(&workspace, &release, arguments.sign.as_deref())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the npm package into its default directory; returns the archive.
pub(crate) fn write_npm(workspace: &Workspace) -> Result<PathBuf> {
    npm::write(&files::empty_dir(None, workspace.npm_package())?)
}

/// Writes all packages of a release, the list of their components, their licences, their provenance and their checksums.
fn write_release(workspace: &Workspace, release: &Release, key: Option<&Path>) -> Result<()> {
    let name = format!("voight-{}", release.version);
    let notices = notices::write(release)?;
    let program = binary::build(workspace, release)?;
    let stage = stage::write(workspace, &program, &notices)?;
    stage::write_archive(release, &stage)?;
    image::write(workspace, release, &stage)?;
    linux::write(workspace, release, &stage)?;
    let npm = write_npm(workspace)?;
    files::write(
        &release.output(npm.file_name().unwrap_or_default()),
        &files::read(&npm)?,
    )?;
    let lock = String::from_utf8(files::read(&workspace.root().join("Cargo.lock"))?)?;
    files::write(
        &release.output(format!("{name}.cdx.json")),
        sbom::write(release, &lock)?.as_bytes(),
    )?;
    files::write(
        &release.output("THIRD-PARTY-NOTICES.txt"),
        notices.as_bytes(),
    )?;
    let mut artifacts = digests(&release.out)?;
    let provenance = provenance::write(
        workspace,
        release,
        &artifacts,
        &digests(&workspace.image_base())?,
    )?;
    let provenance_name = format!("{name}.provenance.json");
    files::write(&release.output(&provenance_name), provenance.as_bytes())?;
    artifacts.insert(provenance_name, digest(provenance.as_bytes()));
    let checksums: Vec<_> = artifacts
        .iter()
        .map(|(file, digest)| format!("{digest}  {file}\n"))
        .collect();
    files::write(&release.output(CHECKSUMS), checksums.concat().as_bytes())?;
    if let Some(key) = key {
        sign(release, key)?;
    }
    for (file, digest) in &artifacts {
        console::line(format_args!("{digest}  {file}"));
    }
    if key.is_none() {
        console::line("the checksums are not signed; name a secret key of minisign with --sign");
    }
    console::line(format_args!(
        "release {} of commit {} is in {}",
        release.version,
        release.commit,
        release.out.display()
    ));
    Ok(())
}

/// Signs the list of checksums.
fn sign(release: &Release, key: &Path) -> Result<()> {
    let comment = format!("voight {} {}", release.version, release.commit);
    let checksums = release.output(CHECKSUMS);
    process::run(
        Command::new("minisign")
            .arg("-S")
            .arg("-s")
            .arg(key)
            .args(["-t", &comment])
            .arg("-m")
            .arg(checksums),
    )
}

/// Returns the digest of each file in a directory, by name.
fn digests(dir: &Path) -> Result<BTreeMap<String, String>> {
    let digest_of = |name: PathBuf| {
        Ok((
            name.display().to_string(),
            digest(&files::read(&dir.join(&name))?),
        ))
    };
    files::list(dir)?.into_iter().map(digest_of).collect()
}

/// Returns the SHA-256 digest in hexadecimal.
fn digest(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}
