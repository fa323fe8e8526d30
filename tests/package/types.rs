//! The package's types, as a strict project reads them.

use crate::Project;
use std::process::Command;
use voight_tests::paths;

const REFERENCE: &str = include_str!("../../docs/reference/component.md");

/// The ways in which today's projects resolve modules.
const RESOLUTIONS: [(&str, &str); 2] = [("nodenext", "nodenext"), ("esnext", "bundler")];

/// The block for React of the reference.
fn block() -> &'static str {
    let (_, rest) = REFERENCE.split_once("<!-- run: react -->\n```tsx\n").expect("the reference has a block for React");
    rest.split_once("\n```").expect("the end of the block").0
}

#[test]
fn projects_that_use_the_package_type_check_and_mistakes_do_not() {
    let Some(project) = Project::new("projects_that_use_the_package_type_check_and_mistakes_do_not") else { return };
    let root = project.clone.path().join("tests/package");
    std::fs::write(root.join("consumer/reference.tsx"), block()).expect("the block is written");
    std::fs::write(root.join("package.json"), r#"{"type":"module"}"#).expect("a package of modules");
    for (module, resolution) in RESOLUTIONS {
        let options = serde_json::json!({
            "compilerOptions": {
                "strict": true, "noEmit": true, "jsx": "react-jsx", "module": module, "moduleResolution": resolution,
                "target": "es2022", "lib": ["es2022", "dom"], "types": [], "skipLibCheck": false
            },
            "include": ["consumer"]
        });
        std::fs::write(root.join("tsconfig.json"), options.to_string()).expect("the options are written");
        let mut command = Command::new(paths::tools().join("npm/node_modules/.bin/tsc"));
        let checked = command.args(["-p", "."]).current_dir(&root).output().expect("tsc runs");
        assert!(checked.status.success(), "{resolution}: {}", String::from_utf8_lossy(&checked.stdout));
    }
}
