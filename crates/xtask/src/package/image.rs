//! Container image in the OCI image layout, packed as one archive.
//!
//! The image contains the program, the C library and the certificates of Debian's packages, and no shell. The four documents of
//! the layout are small, so they are written as JSON; the specification's types would add forty crates to this tool.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::archive::{Access, Archive, gzip};
use super::release::Release;
use super::{digest, stage};
use crate::files;
use crate::workspace::Workspace;

/// User and group of the process in the image.
const USER: u64 = 65_532;
const DATA_DIR: &str = "var/lib/voight";
/// Bundle of certificates, for TLS to a database.
const CERTIFICATES: &str = "etc/ssl/certs/ca-certificates.crt";
/// First parts of the names of the libraries that the program loads. The last two resolve the names of hosts.
const LIBRARIES: [&str; 8] = [
    "ld-linux",
    "libc.so",
    "libm.so",
    "libpthread.so",
    "libdl.so",
    "librt.so",
    "libnss_",
    "libresolv.so",
];
/// Licences of Debian's packages.
const LICENCES: [&str; 2] = [
    "usr/share/doc/libc6/copyright",
    "usr/share/doc/ca-certificates/copyright",
];

/// Content of a path in the image.
enum ImageEntry {
    File(Access, Vec<u8>),
    Dir(Access),
    Link(PathBuf),
}

/// Writes the image.
pub(super) fn write(workspace: &Workspace, release: &Release, stage: &Path) -> Result<()> {
    let mut root = base(&workspace.image_base())?;
    root.insert(
        stage::PROGRAM.into(),
        ImageEntry::File(Access::PROGRAM, files::read(&stage.join(stage::PROGRAM))?),
    );
    for name in ["LICENSE", "THIRD-PARTY-NOTICES.gz"] {
        let path = Path::new(stage::DOCUMENTS).join(name);
        root.insert(
            path.clone(),
            ImageEntry::File(Access::FILE, files::read(&stage.join(&path))?),
        );
    }
    let accounts = [
        (
            "etc/passwd",
            format!(
                "root:x:0:0:root:/:/sbin/nologin\nvoight:x:{USER}:{USER}:voight:/{DATA_DIR}:/sbin/nologin\n"
            ),
        ),
        ("etc/group", format!("root:x:0:\nvoight:x:{USER}:\n")),
        ("etc/nsswitch.conf", "hosts: files dns\n".to_owned()),
    ];
    for (path, text) in accounts {
        root.insert(
            path.into(),
            ImageEntry::File(Access::FILE, text.into_bytes()),
        );
    }
    root.insert(
        DATA_DIR.into(),
        ImageEntry::Dir(Access {
            owner: USER,
            mode: 0o700,
        }),
    );
    root.insert(
        "tmp".into(),
        ImageEntry::Dir(Access {
            owner: 0,
            mode: 0o1777,
        }),
    );
    let layout = layout(release, &layer(release.epoch, root)?)?;
    files::write(
        &release.output(format!(
            "voight-{}-oci-{}.tar",
            release.version,
            release.debian_arch()
        )),
        &layout,
    )
}

/// Returns the files of Debian's packages in `dir`.
fn base(dir: &Path) -> Result<BTreeMap<PathBuf, ImageEntry>> {
    let mut root = BTreeMap::new();
    let mut certificates = BTreeMap::new();
    for package in files::list(dir)? {
        let mut unpack = Command::new("dpkg-deb");
        let output = unpack
            .arg("--fsys-tarfile")
            .arg(dir.join(&package))
            .output()
            .context("cannot start `dpkg-deb`")?;
        if !output.status.success() {
            bail!(
                "`dpkg-deb` cannot read {}; delete it, and run the command again",
                dir.join(&package).display()
            );
        }
        for entry in tar::Archive::new(output.stdout.as_slice()).entries()? {
            let mut entry = entry?;
            let path = entry
                .path()?
                .components()
                .filter(|part| part.as_os_str() != ".")
                .collect::<PathBuf>();
            let is_certificate = path.starts_with("usr/share/ca-certificates");
            if !(is_certificate || is_base_file(&path)) || entry.header().entry_type().is_dir() {
                continue;
            }
            if let Some(target) = entry.link_name()? {
                root.insert(path, ImageEntry::Link(target.into_owned()));
                continue;
            }
            let mode = entry.header().mode()?;
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            if is_certificate {
                certificates.insert(path, bytes);
            } else {
                root.insert(path, ImageEntry::File(Access { owner: 0, mode }, bytes));
            }
        }
    }
    let bundle = certificates.into_values().flatten().collect();
    root.insert(CERTIFICATES.into(), ImageEntry::File(Access::FILE, bundle));
    Ok(root)
}

/// Returns `true` for the libraries that the program loads, and for licences.
fn is_base_file(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_library = LIBRARIES.iter().any(|library| name.starts_with(library));
    is_library && (path.starts_with("lib") || path.starts_with("lib64"))
        || LICENCES.iter().any(|licence| path == Path::new(licence))
}

/// Returns the archive of the root file system.
fn layer(epoch: u64, mut root: BTreeMap<PathBuf, ImageEntry>) -> Result<Vec<u8>> {
    let parents: Vec<_> = root
        .keys()
        .flat_map(|path| path.ancestors().skip(1))
        .map(Path::to_owned)
        .collect();
    for parent in parents
        .into_iter()
        .filter(|parent| !parent.as_os_str().is_empty())
    {
        root.entry(parent)
            .or_insert(ImageEntry::Dir(Access::PROGRAM));
    }
    let mut layer = Archive::new(epoch);
    for (path, entry) in root {
        match entry {
            ImageEntry::File(access, bytes) => layer.file(&path, access, &bytes)?,
            ImageEntry::Dir(access) => layer.dir(&path, access)?,
            ImageEntry::Link(target) => layer.link(&path, &target)?,
        }
    }
    layer.finish()
}

/// Returns the configuration of the image with one layer.
fn image_config(release: &Release, layer: &[u8]) -> Value {
    let creation_time = release.time().to_string();
    json!({
        "created": creation_time,
        "architecture": release.debian_arch(),
        "os": "linux",
        "config": {
            "User": format!("{USER}:{USER}"),
            "ExposedPorts": { "8080/tcp": {}, "8081/tcp": {} },
            "Env": [
                "PATH=/usr/bin",
                format!("VOIGHT__STORE__DATA_DIR=/{DATA_DIR}"),
                "VOIGHT__SERVER__LISTEN=0.0.0.0:8080",
                "VOIGHT__SERVER__ADMIN_LISTEN=0.0.0.0:8081",
                "VOIGHT__LOG__JSON=true",
            ],
            "Entrypoint": ["/usr/bin/voight"],
            "Cmd": ["serve"],
            "Volumes": { format!("/{DATA_DIR}"): {} },
            "WorkingDir": "/",
            "StopSignal": "SIGTERM",
            "Labels": {
                "org.opencontainers.image.title": "voight",
                "org.opencontainers.image.version": release.version,
                "org.opencontainers.image.revision": release.commit,
                "org.opencontainers.image.licenses": "Apache-2.0",
            },
        },
        "rootfs": { "type": "layers", "diff_ids": [format!("sha256:{}", digest(layer))] },
        "history": [{ "created": creation_time, "created_by": "cargo xtask package" }],
    })
}

/// Returns the archive of the image layout with one layer.
fn layout(release: &Release, layer: &[u8]) -> Result<Vec<u8>> {
    let gzip_layer = gzip(layer)?;
    let config = serde_json::to_vec(&image_config(release, layer))?;
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": descriptor("application/vnd.oci.image.config.v1+json", &config),
        "layers": [descriptor("application/vnd.oci.image.layer.v1.tar+gzip", &gzip_layer)],
    });
    let manifest = serde_json::to_vec(&manifest)?;
    let mut reference = descriptor("application/vnd.oci.image.manifest.v1+json", &manifest);
    // Podman and containerd name the loaded image by these.
    let name = format!("voight:{}", release.version);
    reference["annotations"] = json!({
        "org.opencontainers.image.ref.name": name,
        "io.containerd.image.name": format!("localhost/{name}"),
    });
    let index = json!({ "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [reference] });
    let mut layout = Archive::new(release.epoch);
    layout.file(
        Path::new("oci-layout"),
        Access::FILE,
        br#"{"imageLayoutVersion":"1.0.0"}"#,
    )?;
    layout.file(
        Path::new("index.json"),
        Access::FILE,
        &serde_json::to_vec(&index)?,
    )?;
    for blob in [&config, &manifest, &gzip_layer] {
        layout.file(
            &Path::new("blobs/sha256").join(digest(blob)),
            Access::FILE,
            blob,
        )?;
    }
    layout.finish()
}

fn descriptor(media_type: &str, blob: &[u8]) -> Value {
    json!({ "mediaType": media_type, "digest": format!("sha256:{}", digest(blob)), "size": blob.len() })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::is_base_file;

    #[test]
    fn image_has_loader_and_libraries() {
        let has = |path: &str| is_base_file(Path::new(path));
        assert!(has("lib/x86_64-linux-gnu/libc.so.6") && has("lib64/ld-linux-x86-64.so.2"));
        assert!(has("usr/share/doc/libc6/copyright"));
        assert!(
            !has("lib/x86_64-linux-gnu/libmvec.so.1") && !has("usr/share/doc/libc6/changelog.gz")
        );
        assert!(!has("usr/lib/x86_64-linux-gnu/gconv/libc.so.6"));
    }
}
