//! Contents of the packages: sizes, digests, signature, components, and what other programs say about them.

use super::{Release, unpack};
use serde_json::Value;
use std::fmt::Write as _;
use std::process::Command;
use voight_tests::command::must_succeed;
use voight_tests::test_name;
use voight_tests::{guide, paths};

const GUIDE: &str = include_str!("../../../docs/guides/install.md");
/// Largest size of the program, in bytes.
const MAX_PROGRAM_BYTES: u64 = 30_000_000;
/// Largest size of the container image, in bytes.
const MAX_IMAGE_BYTES: u64 = 16_000_000;

#[test]
fn program_is_small_and_starts_on_an_old_glibc() {
    let Some(release) = Release::of_this_commit(test_name!()) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::copy(
        release.file(".tar.gz"),
        folder
            .path()
            .join(release.file(".tar.gz").file_name().expect("a name")),
    )
    .expect("a copy");
    let shell = |script: &str| must_succeed(guide::shell(script).current_dir(folder.path()));
    assert!(shell(guide::block(GUIDE, "archive")).starts_with("voight 0."));
    let program = folder.path().join("voight/bin/voight");
    let size = std::fs::metadata(&program).expect("the program").len();
    println!("program: {size} bytes");
    assert!(size <= MAX_PROGRAM_BYTES, "{size}");
    let symbols = must_succeed(Command::new("objdump").arg("-T").arg(&program));
    let versions = symbols
        .split("GLIBC_")
        .skip(1)
        .filter_map(|text| text.split([')', ' ', '\n']).next());
    let newest = versions
        .filter_map(|version| {
            version
                .strip_prefix("2.")?
                .split('.')
                .next()?
                .parse::<u32>()
                .ok()
        })
        .max();
    assert!(newest <= Some(17), "needs glibc 2.{newest:?}");
    for file in [
        "voight/share/man/man1/voight.1.gz",
        "voight/share/bash-completion/completions/voight",
        "voight/etc/voight/voight.toml",
    ] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
}

#[test]
fn packages_are_reproducible_in_another_directory() {
    let Some(release) = Release::of_this_commit(test_name!()) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let clone = folder.path().join("another/directory");
    must_succeed(
        Command::new("git")
            .args(["clone", "--quiet"])
            .arg(paths::repository())
            .arg(&clone),
    );
    std::fs::create_dir(clone.join("target")).expect("a directory");
    std::os::unix::fs::symlink(paths::tools(), clone.join("target/tools")).expect("the tools");
    must_succeed(
        Command::new("cargo")
            .args(["xtask", "package"])
            .current_dir(&clone)
            .env_remove("CARGO_TARGET_DIR"),
    );
    let second_checksums =
        std::fs::read_to_string(clone.join("target/package/SHA256SUMS")).expect("the checksums");
    assert_eq!(second_checksums, release.text("SHA256SUMS"));
}

#[test]
fn checksums_are_signed_and_complete() {
    let Some(release) = Release::of_this_commit(test_name!()) else {
        return;
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    must_succeed(
        Command::new("cp")
            .arg("-r")
            .arg(release.dir.join("."))
            .arg(folder.path()),
    );
    let key = ["-p", "voight.pub", "-s", "voight.key"];
    must_succeed(
        Command::new("minisign")
            .current_dir(folder.path())
            .args(["-G", "-W"])
            .args(key),
    );
    let sign = ["-S", "-s", "voight.key", "-m", "SHA256SUMS"];
    must_succeed(
        Command::new("minisign")
            .current_dir(folder.path())
            .args(sign),
    );
    let verify = || {
        guide::shell(guide::block(GUIDE, "verify"))
            .current_dir(folder.path())
            .output()
            .expect("bash starts")
    };
    let output = verify();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let verified_count = String::from_utf8_lossy(&output.stdout)
        .matches(": OK")
        .count();
    let files = std::fs::read_dir(&release.dir).expect("files").count();
    assert_eq!(
        verified_count,
        files - 1,
        "all files except the list itself"
    );

    let deb = release.file(".deb");
    let copy = folder.path().join(deb.file_name().expect("a name"));
    let mut bytes = std::fs::read(&copy).expect("the package");
    bytes[1000] ^= 1;
    std::fs::write(&copy, bytes).expect("the package is damaged");
    assert!(!verify().status.success());
}

#[test]
fn list_of_components_is_valid_and_complete() {
    let Some(release) = Release::of_this_commit(test_name!()) else {
        return;
    };
    let file = release.file(".cdx.json");
    let mut script = String::new();
    let _ = writeln!(
        script,
        "from cyclonedx.validation.json import JsonStrictValidator"
    );
    let _ = writeln!(script, "from cyclonedx.schema import SchemaVersion");
    let _ = writeln!(script, "import sys");
    let _ = writeln!(
        script,
        "error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1]).read())"
    );
    let _ = writeln!(script, "sys.exit(str(error) if error else 0)");
    must_succeed(
        Command::new(paths::tools().join("python/bin/python"))
            .args(["-c", &script])
            .arg(&file),
    );
    let document: Value = serde_json::from_str(&release.text(".cdx.json")).expect("JSON");
    let components = document["components"].as_array().expect("components");
    let has = |name: &str| components.iter().any(|component| component["name"] == name);
    assert!(
        has("redb") && has("actix-web") && has("tokio-postgres"),
        "{}",
        components.len()
    );
    assert!(
        !has("proptest") && !has("libtest-mimic"),
        "packages of tests"
    );
    let notices = release.text("NOTICES.txt");
    for component in components
        .iter()
        .filter(|component| component["hashes"].is_array())
    {
        let name = format!(
            "{} {} (",
            component["name"].as_str().unwrap_or(""),
            component["version"].as_str().unwrap_or("")
        );
        assert!(notices.contains(&name), "{name}");
    }
}

#[test]
fn packages_pass_lintian_and_rpm_checks() {
    let Some(release) = Release::of_this_commit(test_name!()) else {
        return;
    };
    let findings = must_succeed(
        Command::new("lintian")
            .args(["--allow-root", "--fail-on", "error"])
            .arg(release.file(".deb")),
    );
    println!("{findings}");
    let rpm = release.file(".rpm");
    assert!(
        must_succeed(
            Command::new("rpm")
                .args(["--checksig", "--nosignature"])
                .arg(&rpm)
        )
        .contains("digests OK")
    );
    let files = must_succeed(Command::new("rpm").args(["-qpl"]).arg(&rpm));
    for file in [
        "/usr/bin/voight",
        "/usr/lib/systemd/system/voight.service",
        "/etc/voight/voight.toml",
    ] {
        assert!(files.lines().any(|line| line == file), "{file}: {files}");
    }
    assert_eq!(
        must_succeed(Command::new("rpm").args(["-qpc"]).arg(&rpm)).trim(),
        "/etc/voight/voight.toml"
    );
    let scripts = must_succeed(Command::new("rpm").args(["-qp", "--scripts"]).arg(&rpm));
    for part in [
        "preinstall",
        "postinstall",
        "preuninstall",
        "postuninstall",
        "useradd",
        "systemctl preset",
    ] {
        assert!(scripts.contains(part), "{part}: {scripts}");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = format!(
        "cd {} && rpm2cpio {} | cpio -idm --quiet",
        folder.path().display(),
        rpm.display()
    );
    must_succeed(&mut guide::shell(&script));
    assert!(
        must_succeed(Command::new(folder.path().join("usr/bin/voight")).arg("--version"))
            .starts_with("voight ")
    );
}

#[test]
fn other_programs_read_the_image() {
    let Some(release) = Release::of_this_commit(test_name!()) else {
        return;
    };
    let image = release.file("-oci-amd64.tar");
    let size = std::fs::metadata(&image).expect("the image").len();
    println!("image: {size} bytes");
    assert!(size <= MAX_IMAGE_BYTES, "{size}");
    let skopeo_output = must_succeed(
        Command::new("skopeo")
            .arg("inspect")
            .arg(format!("oci-archive:{}", image.display())),
    );
    let description: Value = serde_json::from_str(&skopeo_output).expect("JSON");
    assert_eq!(
        (&description["Architecture"], &description["Os"]),
        (&"amd64".into(), &"linux".into())
    );
    let folder = tempfile::tempdir().expect("a temporary folder");
    unpack(&image, &folder.path().join("layout"));
    let version = description["Labels"]["org.opencontainers.image.version"]
        .as_str()
        .expect("a version");
    let mut umoci = Command::new("umoci");
    umoci.arg("unpack").arg("--image").arg(format!(
        "{}:voight:{version}",
        folder.path().join("layout").display()
    ));
    must_succeed(umoci.arg(folder.path().join("bundle")));
    let root = folder.path().join("bundle/rootfs");
    let paths = [
        "usr/bin/voight",
        "etc/ssl/certs/ca-certificates.crt",
        "lib/x86_64-linux-gnu/libc.so.6",
    ];
    assert!(paths.iter().all(|path| root.join(path).exists()));
    assert!(!root.join("bin/sh").exists() && !root.join("usr/bin/sh").exists());
}
