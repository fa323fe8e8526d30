//! Debian and RPM packages, written by `cargo deb` and `cargo generate-rpm` from the staging directory.
//!
//! Both tools read the metadata of a Cargo.toml. The one of the staging directory lists its files.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::release::{OLDEST_GLIBC, Release};
use super::stage;
use crate::files;
use crate::process;
use crate::workspace::Workspace;

/// Maintainer in the metadata of both packages.
const MAINTAINER: &str = "Voight maintainers <maintainers@voight.example>";
const SUMMARY: &str = "decides whether an Ethereum address is operated by a bot";
const DESCRIPTION: &str = "\
Quest and airdrop platforms wrap a button of their page with a component, and their back end asks for a verdict on the address before \
it hands out a reward. The service keeps its verdicts and its billing ledger in an embedded store, or in a PostgreSQL database.";

/// Writes both packages.
pub(super) fn write(workspace: &Workspace, release: &Release, stage: &Path) -> Result<()> {
    let files: Vec<_> = files::list(stage)?;
    let changelog = stage.join("changelog");
    files::write(&changelog, debian_changelog(release).as_bytes())?;
    files::write(
        &stage.join("Cargo.toml"),
        manifest(workspace, release, &files)?.as_bytes(),
    )?;
    files::write(&stage.join("main.rs"), b"fn main() {}\n")?;
    let manifest = stage.join("Cargo.toml");
    let debian = release.output(format!(
        "voight_{}-1_{}.deb",
        release.version,
        release.debian_arch()
    ));
    let mut deb = workspace.cargo();
    deb.args([
        "deb",
        "--quiet",
        "--no-build",
        "--no-strip",
        "--offline",
        "--manifest-path",
    ])
    .arg(&manifest);
    deb.arg("--target").arg(&release.target);
    deb.arg("--output")
        .arg(debian)
        .env("SOURCE_DATE_EPOCH", release.epoch.to_string());
    process::run(&mut deb)?;
    let rpm = format!(
        "voight-{}-1.{}.rpm",
        release.version,
        std::env::consts::ARCH
    );
    let mut rpm_tool = workspace.cargo();
    rpm_tool.current_dir(stage).args([
        "generate-rpm",
        "--auto-req",
        "disabled",
        "--payload-compress",
        "gzip",
    ]);
    rpm_tool
        .arg("--target")
        .arg(&release.target)
        .arg("--target-dir")
        .arg(stage.join("target"));
    rpm_tool
        .arg("--source-date")
        .arg(release.epoch.to_string())
        .arg("--output")
        .arg(release.output(rpm));
    process::run(&mut rpm_tool)
}

/// Returns the manifest with the metadata of both packages.
fn manifest(workspace: &Workspace, release: &Release, staged: &[PathBuf]) -> Result<String> {
    let packaging = workspace.packaging();
    Ok(debian_metadata(&packaging, release, staged) + &rpm_metadata(&packaging, staged)?)
}

/// Returns the head of the manifest with the metadata of the Debian package.
fn debian_metadata(packaging: &Path, release: &Release, staged: &[PathBuf]) -> String {
    let Release { version, .. } = release;
    let scripts = packaging.join("deb");
    let mut text = format!(
        r#"[package]
name = "voight"
version = "{version}"
edition = "2024"
license = "Apache-2.0"
description = "{SUMMARY}"

[workspace]

[[bin]]
name = "voight"
path = "main.rs"

[package.metadata.deb]
maintainer = "{MAINTAINER}"
copyright = "The authors of Voight"
license-file = ["{scripts}/copyright", "0"]
changelog = "changelog"
extended-description = """{DESCRIPTION}"""
depends = "adduser, libc6 (>= {OLDEST_GLIBC})"
recommends = "ca-certificates"
section = "net"
priority = "optional"
conf-files = ["/{CONFIG}"]
maintainer-scripts = "{scripts}"
systemd-units = {{ unit-name = "voight", unit-scripts = "{packaging}", enable = true, start = true, restart-after-upgrade = true }}
assets = [
"#,
        CONFIG = stage::CONFIG,
        scripts = scripts.display(),
        packaging = packaging.display(),
    );
    for path in staged.iter().filter(|path| !is_left_out_of_debian(path)) {
        let _ = writeln!(
            text,
            "  [\"{}\", \"{}\", \"{}\"],",
            path.display(),
            debian_path(path).display(),
            mode(path)
        );
    }
    text + "]\n"
}

/// Returns the metadata of the RPM package.
fn rpm_metadata(packaging: &Path, staged: &[PathBuf]) -> Result<String> {
    let scripts = packaging.join("rpm");
    let script = |name: &str| {
        files::read(&scripts.join(name)).map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    };
    let mut text = format!(
        r#"
[package.metadata.generate-rpm]
summary = "{SUMMARY}"
pre_install_script = '''{pre}'''
post_install_script = '''{post}'''
pre_uninstall_script = '''{preun}'''
post_uninstall_script = '''{postun}'''
assets = [
"#,
        pre = script("pre")?,
        post = script("post")?,
        preun = script("preun")?,
        postun = script("postun")?,
    );
    for path in staged {
        let config = if path == Path::new(stage::CONFIG) {
            ", config = \"noreplace\""
        } else {
            ""
        };
        let doc = if path.starts_with(stage::DOCUMENTS) {
            ", doc = true"
        } else {
            ""
        };
        let mode = mode(path);
        let path = path.display();
        let _ = writeln!(
            text,
            "  {{ source = \"{path}\", dest = \"/{path}\", mode = \"{mode}\"{config}{doc} }},"
        );
    }
    let _ = write!(
        text,
        r#"]

[package.metadata.generate-rpm.requires]
"glibc" = ">= {OLDEST_GLIBC}"
"shadow-utils" = "*"
"#
    );
    Ok(text)
}

/// Returns `true` for files that the Debian tool writes itself: the licence, as `copyright`, and the unit.
fn is_left_out_of_debian(path: &Path) -> bool {
    path == Path::new(stage::UNIT) || path == Path::new(stage::DOCUMENTS).join("LICENSE")
}

/// Returns the path of a file in Debian's layout, which differs for zsh.
fn debian_path(path: &Path) -> &Path {
    if path == Path::new(stage::ZSH) {
        Path::new("usr/share/zsh/vendor-completions/_voight")
    } else {
        path
    }
}

fn mode(path: &Path) -> &'static str {
    if path == Path::new(stage::PROGRAM) {
        "755"
    } else {
        "644"
    }
}

/// Returns the changelog of the Debian package, which refers to the project's.
fn debian_changelog(release: &Release) -> String {
    let date = release.time().strftime("%a, %d %b %Y %H:%M:%S +0000");
    format!(
        "voight ({}-1) unstable; urgency=medium\n\n  * Release {}. The changelog of the project lists the changes.\n\n -- {MAINTAINER}  {date}\n",
        release.version, release.version
    )
}
