//! Types of the package in a strict project.

use crate::package::Project;
use std::path::Path;
use std::process::Command;
use voight_tests::test_name;
use voight_tests::{guide, paths};

const REFERENCE: &str = include_str!("../../../docs/reference/component.md");

/// Module resolutions of current projects.
const RESOLUTIONS: [(&str, &str); 2] = [("nodenext", "nodenext"), ("esnext", "bundler")];

/// Asserts that the compiler accepts the programs of a project, also the one of the reference, and finds their mistakes.
pub(super) fn assert_valid(root: &Path) {
    std::fs::write(
        root.join("consumer/reference.tsx"),
        guide::block(REFERENCE, "react"),
    )
    .expect("the block is written");
    for (module, resolution) in RESOLUTIONS {
        let options = serde_json::json!({
            "compilerOptions": {
                "strict": true, "noEmit": true, "jsx": "react-jsx", "module": module, "moduleResolution": resolution,
                "target": "es2022", "lib": ["es2022", "dom"], "types": [], "skipLibCheck": false
            },
            "include": ["consumer"]
        });
        std::fs::write(root.join("tsconfig.json"), options.to_string())
            .expect("the options are written");
        let mut command = Command::new(paths::tools().join("npm/node_modules/.bin/tsc"));
        let output = command
            .args(["-p", "."])
            .current_dir(root)
            .output()
            .expect("tsc runs");
        assert!(
            output.status.success(),
            "{resolution}: {}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
}

#[test]
fn package_types_reject_mistakes() {
    let Some(project) = Project::new(test_name!()) else {
        return;
    };
    let root = project.clone.path().join("tests/e2e/package");
    std::fs::write(root.join("package.json"), r#"{"type":"module"}"#)
        .expect("a package of modules");
    assert_valid(&root);
}
