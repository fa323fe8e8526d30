//! Helm chart: lint, rendered manifests against the schemas of Kubernetes, and wrong values.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use voight_tests::paths;

/// Values of both kinds of stores.
const VALUES: [&[&str]; 2] = [
    &["publicUrl=https://voight.example"],
    &[
        "publicUrl=https://voight.example",
        "trustedProxies={10.0.0.0/8}",
        "store.kind=postgres",
        "store.url=postgres://voight@database/voight",
        "secretName=voight",
        "ingress.enabled=true",
        "ingress.host=voight.example",
        r"config.log\.filter=debug",
    ],
];

fn chart() -> PathBuf {
    paths::repository().join("examples/deploy/helm/voight")
}

fn tool(name: &str) -> Command {
    Command::new(paths::tools().join("python/bin").join(name))
}

fn helm(words: &[&str], values: &[&str]) -> Output {
    let mut helm = tool("helm");
    helm.args(words).arg(chart());
    for value in values {
        helm.args(["--set", value]);
    }
    helm.output().expect("helm starts")
}

fn render(values: &[&str]) -> String {
    let output = helm(&["template", "quest"], values);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn chart_passes_linter_and_kubernetes_schemas() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (number, values) in VALUES.into_iter().enumerate() {
        let output = helm(&["lint", "--strict"], values);
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
        let file = folder.path().join(format!("{number}.yaml"));
        let manifests = render(values);
        if values.contains(&"ingress.enabled=true") {
            assert!(
                manifests.contains("nginx.ingress.kubernetes.io/proxy-body-size: 256m"),
                "{manifests}"
            );
        }
        std::fs::write(&file, manifests).expect("the file is written");
        assert_valid(&file);
    }
}

fn assert_valid(manifests: &Path) {
    let mut validate = tool("kubernetes-validate");
    let output = validate
        .args(["--strict"])
        .arg(manifests)
        .output()
        .expect("the validator starts");
    let text = [output.stdout, output.stderr].concat();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&text)
    );
}

#[test]
fn kind_of_the_store_selects_the_workload() {
    let [embedded, postgres] = VALUES.map(render);
    assert!(
        embedded.contains("kind: StatefulSet") && embedded.contains("replicas: 1"),
        "{embedded}"
    );
    assert!(
        !embedded.contains("kind: Deployment") && !embedded.contains("kind: Ingress"),
        "{embedded}"
    );
    assert!(
        postgres.contains("kind: Deployment") && postgres.contains("replicas: 2"),
        "{postgres}"
    );
    assert!(
        postgres.contains("kind: Ingress") && postgres.contains("kind: PodDisruptionBudget"),
        "{postgres}"
    );
    for setting in [
        "VOIGHT__LOG__FILTER",
        "VOIGHT__SERVER__TRUSTED_PROXIES",
        "VOIGHT__STORE__URL",
    ] {
        assert!(postgres.contains(setting), "{setting}");
    }
    for rule in [
        "runAsUser: 65532",
        "readOnlyRootFilesystem: true",
        "drop: [ALL]",
        "allowPrivilegeEscalation: false",
    ] {
        assert!(embedded.contains(rule) && postgres.contains(rule), "{rule}");
    }
}

#[test]
fn wrong_values_are_rejected_by_name() {
    let wrong: [(&[&str], &str); 5] = [
        (&[], "publicUrl"),
        (&["publicUrl=voight.example"], "publicUrl"),
        (
            &["publicUrl=https://voight.example", "store.kind=sqlite"],
            "store.kind",
        ),
        (
            &["publicUrl=https://voight.example", "store.kind=postgres"],
            "secretName",
        ),
        (
            &["publicUrl=https://voight.example", "replica=3"],
            "replica",
        ),
    ];
    for (values, named) in wrong {
        let output = helm(&["template", "quest"], values);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && error.contains(named),
            "{values:?}: {error}"
        );
    }
}
