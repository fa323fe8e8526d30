//! Debian package on bare systems that are booted with systemd: installed, upgraded, downgraded, removed and purged by the
//! commands of the guide.

use super::Release;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use voight_tests::command::must_succeed;
use voight_tests::test_name;
use voight_tests::{guide, paths};

const GUIDE: &str = include_str!("../../../docs/guides/install.md");
/// Unit that runs the script at the end of the boot, and then stops the system.
const UNIT: &str = "\
[Unit]
After=dbus.service systemd-logind.service
[Service]
Type=oneshot
ExecStart=/bin/bash /check/script
ExecStopPost=/bin/systemctl poweroff --no-block
StandardOutput=file:/check/output
StandardError=file:/check/log
";

/// Returns a bare system of a suite; it is created once.
fn system(suite: &str) -> PathBuf {
    let dir = paths::tools().join("package").join(suite);
    if !dir.exists() {
        let partial = dir.with_extension("partial");
        let _ = fs::remove_dir_all(&partial);
        let mut create = Command::new("mmdebstrap");
        create.args([
            "--variant=apt",
            "--include=systemd-sysv,dbus,curl,sudo,adduser,ca-certificates",
            suite,
        ]);
        must_succeed(create.arg(&partial));
        fs::rename(&partial, &dir).expect("the system is complete");
    }
    dir
}

/// Returns a package like `deb` with another version.
fn with_version(deb: &Path, version: &str, to: &Path) {
    let unpacked_dir = to.join("unpacked");
    must_succeed(
        Command::new("dpkg-deb")
            .arg("-R")
            .arg(deb)
            .arg(&unpacked_dir),
    );
    let control = unpacked_dir.join("DEBIAN/control");
    let fields = fs::read_to_string(&control).expect("the control file");
    let lines = fields.lines().map(|line| {
        if line.starts_with("Version:") {
            format!("Version: {version}-1")
        } else {
            line.to_owned()
        }
    });
    fs::write(&control, lines.collect::<Vec<_>>().join("\n") + "\n").expect("the control file");
    let name = format!("voight_{version}-1_amd64.deb");
    must_succeed(
        Command::new("dpkg-deb")
            .args(["--root-owner-group", "-b"])
            .arg(&unpacked_dir)
            .arg(to.join(name)),
    );
    fs::remove_dir_all(unpacked_dir).expect("the copy is removed");
}

/// Boots the system of a suite with the packages, runs the script in it, and returns its output.
fn boot(suite: &str, release: &Release, script: &str) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let check = folder.path().join("check");
    let first = folder.path().join("first");
    let second = folder.path().join("second");
    for dir in [&check, &first, &second] {
        fs::create_dir(dir).expect("a directory");
    }
    let deb = release.file(".deb");
    fs::copy(&deb, first.join(deb.file_name().expect("a name"))).expect("a copy");
    with_version(&deb, "99.0.0", &second);
    fs::write(check.join("script"), script).expect("the script");
    fs::write(check.join("unit"), UNIT).expect("the unit");
    fs::write(check.join("hosts"), "127.0.0.1 localhost bare\n").expect("the names");
    fs::write(check.join("wants"), "[Unit]\nWants=check.service\n").expect("the drop-in");
    let bind = |from: &Path, to: &str| format!("--bind={}:{to}", from.display());
    let mut nspawn = Command::new("timeout");
    nspawn.args([
        "--kill-after=5",
        "300",
        "systemd-nspawn",
        "--ephemeral",
        "--boot",
        "--quiet",
        "--private-network",
    ]);
    nspawn
        .args(["--register=no", "--keep-unit", "--console=pipe"])
        .arg(format!("--directory={}", system(suite).display()));
    nspawn.args([
        bind(&check, "/check"),
        bind(&first, "/packages/first"),
        bind(&second, "/packages/second"),
    ]);
    nspawn.arg(bind(
        &check.join("unit"),
        "/etc/systemd/system/check.service",
    ));
    nspawn
        .arg("--hostname=bare")
        .arg(bind(&check.join("hosts"), "/etc/hosts"));
    nspawn.arg(bind(
        &check.join("wants"),
        "/etc/systemd/system/multi-user.target.d/check.conf",
    ));
    let console = nspawn.output().expect("systemd-nspawn starts").stdout;
    let read_file = |name: &str| fs::read_to_string(check.join(name)).unwrap_or_default();
    let output = read_file("output");
    assert!(
        output.ends_with("passed\n"),
        "{output}\n{}\n{}",
        read_file("log"),
        String::from_utf8_lossy(&console[console.len().saturating_sub(2000)..])
    );
    output
}

/// Returns the script of the whole life of an installation.
fn life() -> String {
    let block = |name| guide::block(GUIDE, name);
    format!(
        r#"
set -eux
export HOME=/root DEBIAN_FRONTEND=noninteractive
usage() {{ voight usage --client acme --json; }}

cd /packages/first
begin=$(date +%s%N)
{deb}
voight health --wait 30 >&2
{first}
echo
echo "first verdict after $(( ($(date +%s%N) - begin) / 1000000 )) ms"
systemctl is-active --quiet voight
systemctl is-enabled --quiet voight
test "$(stat -c '%U %a' /var/lib/voight)" = 'voight 700'
test "$(stat -c %U "/proc/$(systemctl show -P MainPID voight)")" = voight
usage > /check/before

systemctl stop voight
! voight client list 2> /check/refused
grep -q "sudo -u" /check/refused
cd / && sudo -u voight voight client list >&2
systemctl start voight

echo '# Changed by the administrator' >> /etc/voight/voight.toml
cd /packages/second
{upgrade}
test "$(dpkg-query -W -f '${{Version}}' voight)" = 99.0.0-1
grep -q 'by the administrator' /etc/voight/voight.toml
usage | diff - /check/before

cd /packages/first
{downgrade}
usage | diff - /check/before

systemctl kill --signal=STOP voight
stopped=$(systemctl show -P NRestarts voight)
for _ in $(seq 90); do test "$(systemctl show -P NRestarts voight)" = "$stopped" || break; sleep 1; done
voight health --wait 30 >&2
echo "restarted by the watchdog: $(( $(systemctl show -P NRestarts voight) - stopped ))"

apt-get remove --yes voight >&2
test -f /var/lib/voight/pepper
cd /packages/first
{deb}
voight health --wait 30 >&2
usage | diff - /check/before
{purge}
test ! -e /var/lib/voight
test ! -e /etc/voight
ls /var/backups/voight-*/pepper >&2
echo passed
"#,
        deb = block("deb"),
        first = block("first"),
        upgrade = block("upgrade"),
        downgrade = block("downgrade"),
        purge = block("purge"),
    )
}

#[test]
fn debian_installs_runs_and_purges_the_package() {
    let name = test_name!();
    let Some(release) = Release::of_this_commit(name) else {
        return;
    };
    for suite in ["bookworm", "bullseye"] {
        let output = boot(suite, &release, &life());
        println!("{suite}: {output}");
        assert!(output.contains(r#""isBot":false"#), "{output}");
        assert!(output.contains("restarted by the watchdog: 1"), "{output}");
    }
}
