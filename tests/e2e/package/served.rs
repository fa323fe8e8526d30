//! npm package as the service serves it.

use crate::package::{Project, bytes, types};
use std::path::Path;
use std::process::Command;
use voight_tests::command::must_succeed;
use voight_tests::http;
use voight_tests::server::Server;
use voight_tests::test_name;

/// Program that imports every module of the package, without a document.
const IMPORTS: &str = "
const { VoightCheck } = await import('@voight/check');
const react = await import('@voight/check/react');
const { getVerdict } = await import('@voight/check/server');
const { default: { name } } = await import('@voight/check/package.json', { with: { type: 'json' } });
const missing = { VoightCheck, wrapper: react.VoightCheck, getVerdict, name };
for (const [member, value] of Object.entries(missing)) if (!value) throw new Error(member);
";
/// Members of React that the wrapper imports; a page has the library.
const REACT: &str = "export const [createElement, forwardRef, useEffect, useImperativeHandle, useRef] = Array(5).fill(() => ({}));";

/// Installs the package in a directory by the URL of the service at `service`. The registry does not exist.
fn install(service: &str, root: &Path) {
    let links = http::get(&http::agent(), &format!("{service}/"), &[])
        .expect("the service answers")
        .json();
    let path = links["data"]["npm_package"]
        .as_str()
        .expect("the path of the package");
    std::fs::write(root.join("package.json"), r#"{"type":"module"}"#)
        .expect("a package of modules");
    let mut npm = Command::new("npm");
    npm.args([
        "install",
        "--no-audit",
        "--no-fund",
        "--registry",
        &format!("{service}/no-registry/"),
    ]);
    npm.arg("--cache")
        .arg(root.join("cache"))
        .args(["--fetch-retries", "0"])
        .arg(format!("{service}{path}"));
    for variable in ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"] {
        npm.env_remove(variable);
    }
    must_succeed(npm.current_dir(root));
}

#[test]
fn npm_installs_the_package_from_the_service() {
    let Some(project) = Project::new(test_name!()) else {
        return;
    };
    let installation = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start(&installation.path().join("data"));
    let root = project.clone.path().join("tests/e2e/package");
    install(&server.url(), &root);

    let installed_package = root.join("node_modules/@voight/check");
    let names = bytes::files(&installed_package);
    assert_eq!(
        names,
        bytes::files(&project.package),
        "the packaged one has other files"
    );
    for name in &names {
        let read_file =
            |package: &Path| std::fs::read(package.join(name)).expect("a file of the package");
        assert_eq!(
            read_file(&installed_package),
            read_file(&project.package),
            "{name}"
        );
    }
    types::assert_valid(&root);
    let react = root.join("node_modules/react");
    std::fs::create_dir_all(&react).expect("a folder for the library");
    std::fs::write(
        react.join("package.json"),
        r#"{"type":"module","exports":"./react.js"}"#,
    )
    .expect("its manifest");
    std::fs::write(react.join("react.js"), REACT).expect("its module");
    must_succeed(
        Command::new("node")
            .args(["--input-type=module", "--eval", IMPORTS])
            .current_dir(&root),
    );
}
