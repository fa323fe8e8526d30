//! Staging directory: the installed files of every package, in the layout of the file system.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::release::Release;
use super::{archive, binary};
use crate::files;
use crate::workspace::Workspace;

/// Directory of the program's documents.
pub(super) const DOCUMENTS: &str = "usr/share/doc/voight";
/// Configuration file, which the administrator may change.
pub(super) const CONFIG: &str = "etc/voight/voight.toml";
/// Program.
pub(super) const PROGRAM: &str = "usr/bin/voight";
/// Unit of systemd.
pub(super) const UNIT: &str = "usr/lib/systemd/system/voight.service";
/// Completion script of zsh.
pub(super) const ZSH: &str = "usr/share/zsh/site-functions/_voight";
/// Data directory of an installed service.
const DATA_DIR: &str = "/var/lib/voight";

/// Completion scripts: shell, and path of the script.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/voight"),
    ("zsh", ZSH),
    ("fish", "usr/share/fish/vendor_completions.d/voight.fish"),
];

/// Writes the staging directory and returns it.
pub(super) fn write(workspace: &Workspace, program: &[u8], notices: &str) -> Result<PathBuf> {
    let dir = files::empty_dir(None, workspace.target().join("package-stage"))?;
    let program_path = dir.join(PROGRAM);
    files::write_program(&program_path, program)?;
    for (shell, path) in COMPLETIONS {
        files::write(
            &dir.join(path),
            binary::run(&program_path, &["completions", shell])?.as_bytes(),
        )?;
    }
    manual(&dir, &program_path)?;
    files::write(
        &dir.join(CONFIG),
        config(&binary::run(&program_path, &["config", "init"])?)?.as_bytes(),
    )?;
    files::write(
        &dir.join(UNIT),
        &files::read(&workspace.packaging().join("voight.service"))?,
    )?;
    for name in ["README.md", "LICENSE"] {
        files::write(
            &dir.join(DOCUMENTS).join(name),
            &files::read(&workspace.root().join(name))?,
        )?;
    }
    files::write(
        &dir.join(DOCUMENTS).join("THIRD-PARTY-NOTICES.gz"),
        &archive::gzip(notices.as_bytes())?,
    )?;
    Ok(dir)
}

/// Writes the compressed pages of the manual.
fn manual(dir: &Path, program: &Path) -> Result<()> {
    let pages = dir.join("man");
    binary::run(
        program,
        &["man", "--out", pages.to_str().context("a path in UTF-8")?],
    )?;
    for page in files::list(&pages)? {
        let target = dir
            .join("usr/share/man/man1")
            .join(format!("{}.gz", page.display()));
        files::write(&target, &archive::gzip(&files::read(&pages.join(&page))?)?)?;
    }
    Ok(std::fs::remove_dir_all(pages)?)
}

/// Returns the configuration of an installed service: every key commented out, except the data directory.
fn config(sample: &str) -> Result<String> {
    let mut has_data_dir = false;
    let set_data_dir = |line: &str| {
        if line
            .trim_start_matches(['#', ' '])
            .starts_with("data_dir = ")
        {
            has_data_dir = true;
            return format!("data_dir = \"{DATA_DIR}\"\n");
        }
        format!("{line}\n")
    };
    let text: String = sample.lines().map(set_data_dir).collect();
    has_data_dir
        .then_some(text)
        .context("`voight config init` prints no key `data_dir`")
}

/// Writes the archive of the program for other systems: the staging directory without `usr/`.
pub(super) fn write_archive(release: &Release, stage: &Path) -> Result<()> {
    let name = format!("voight-{}-{}", release.version, release.target);
    let mut tar = archive::Archive::new(release.epoch);
    for path in files::list(stage)? {
        let below = Path::new(&name).join(path.strip_prefix("usr").unwrap_or(&path));
        let access = if path == Path::new(PROGRAM) {
            archive::Access::PROGRAM
        } else {
            archive::Access::FILE
        };
        tar.file(&below, access, &files::read(&stage.join(&path))?)?;
    }
    files::write(
        &release.output(format!("{name}.tar.gz")),
        &archive::gzip(&tar.finish()?)?,
    )
}

#[cfg(test)]
mod tests {
    use super::config;

    #[test]
    fn only_the_data_directory_is_set() {
        let text =
            config("[store]\n# Directory.\n# data_dir = \"voight-data\"\n# url = \"\"\n").unwrap();
        assert_eq!(
            text,
            "[store]\n# Directory.\ndata_dir = \"/var/lib/voight\"\n# url = \"\"\n"
        );
        assert!(config("[store]\n").is_err());
    }
}
