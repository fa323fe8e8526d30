//! Software bill of materials: `CycloneDX` 1.6, from the metadata of cargo and the checksums of the lock file.
//!
//! `cargo cyclonedx` ends at version 1.5 of the format, writes a file beside each manifest of the workspace, and lists no checksums.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::release::Release;

/// Dependencies of the program: package id, and the ids of the packages on which it depends.
pub(super) type Graph = BTreeMap<String, BTreeSet<String>>;

/// Returns the document.
pub(super) fn write(release: &Release, lock: &str) -> Result<String> {
    let graph = graph(&release.metadata)?;
    let packages = packages(&release.metadata);
    let checksums = checksums(lock);
    let component_of = |id: &String| {
        packages
            .get(id.as_str())
            .map(|package| component(package, &checksums))
    };
    let root = root(&release.metadata)?;
    let components: Vec<_> = graph
        .keys()
        .filter(|id| **id != root)
        .filter_map(component_of)
        .collect();
    let reference = |id: &String| {
        packages
            .get(id.as_str())
            .map(|package| package_url(package))
    };
    let dependencies: Vec<_> = graph
        .iter()
        .map(|(id, on)| json!({ "ref": reference(id), "dependsOn": on.iter().filter_map(reference).collect::<Vec<_>>() }))
        .collect();
    let mut program = component_of(&root).context("the metadata lists no package `voight`")?;
    program["type"] = json!("application");
    let document = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": release.time().to_string(),
            "component": program,
        },
        "components": components,
        "dependencies": dependencies,
    });
    Ok(serde_json::to_string_pretty(&document)?)
}

/// Returns the packages that the program contains. Packages that only run in builds and tests are left out.
pub(super) fn graph(metadata: &Value) -> Result<Graph> {
    let nodes = metadata["resolve"]["nodes"]
        .as_array()
        .context("the metadata has no resolved graph")?;
    let nodes: BTreeMap<_, _> = nodes
        .iter()
        .filter_map(|node| Some((node["id"].as_str()?, node)))
        .collect();
    let mut graph = Graph::new();
    let mut waiting = vec![root(metadata)?];
    while let Some(id) = waiting.pop() {
        if graph.contains_key(&id) {
            continue;
        }
        let dependencies = nodes
            .get(id.as_str())
            .and_then(|node| node["deps"].as_array())
            .into_iter()
            .flatten();
        let is_contained = |dependency: &&Value| {
            let kinds = dependency["dep_kinds"].as_array().into_iter().flatten();
            kinds.into_iter().any(|kind| kind["kind"].is_null())
        };
        let on: BTreeSet<_> = dependencies
            .filter(is_contained)
            .filter_map(|dependency| dependency["pkg"].as_str().map(ToOwned::to_owned))
            .collect();
        waiting.extend(on.iter().cloned());
        graph.insert(id, on);
    }
    Ok(graph)
}

fn root(metadata: &Value) -> Result<String> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    let mut apps = packages.filter(|package| package["name"] == "voight");
    let app = apps.next().and_then(|package| package["id"].as_str());
    app.map(ToOwned::to_owned)
        .context("the metadata lists no package `voight`")
}

fn packages(metadata: &Value) -> BTreeMap<&str, &Value> {
    let packages = metadata["packages"].as_array().into_iter().flatten();
    packages
        .filter_map(|package| Some((package["id"].as_str()?, package)))
        .collect()
}

fn component(package: &Value, checksums: &BTreeMap<(String, String), String>) -> Value {
    let name = text(&package["name"]);
    let version = text(&package["version"]);
    let mut component = json!({
        "type": "library",
        "bom-ref": package_url(package),
        "name": name,
        "version": version,
        "purl": package_url(package),
    });
    if let Some(licence) = package["license"].as_str() {
        // The older notation of alternatives, which SPDX does not have.
        component["licenses"] = json!([{ "expression": licence.replace('/', " OR ") }]);
    }
    if let Some(checksum) = checksums.get(&(name, version)) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    component
}

fn package_url(package: &Value) -> String {
    format!(
        "pkg:cargo/{}@{}",
        text(&package["name"]),
        text(&package["version"]).replace('+', "%2B")
    )
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Returns the checksums in a lock file, by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let value = |block: &str, key: &str| {
        let line = block
            .lines()
            .find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='));
        line.map(|value| value.trim().trim_matches('"').to_owned())
    };
    let blocks = lock.split("[[package]]").skip(1);
    blocks
        .filter_map(|block| {
            Some((
                (value(block, "name")?, value(block, "version")?),
                value(block, "checksum")?,
            ))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{checksums, component, graph};

    #[test]
    fn dependency_graph_has_normal_dependencies_only() {
        let edge =
            |id: &str, kind: Option<&str>| json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [{ "id": "a", "name": "voight" }],
            "resolve": { "nodes": [
                { "id": "a", "deps": [edge("b", None), edge("c", Some("build")), edge("d", Some("dev"))] },
                { "id": "b", "deps": [edge("e", None)] },
                { "id": "c", "deps": [] }, { "id": "d", "deps": [] }, { "id": "e", "deps": [] },
            ] },
        });
        let ids: Vec<_> = graph(&metadata).unwrap().into_keys().collect();
        assert_eq!(ids, ["a", "b", "e"]);
    }

    #[test]
    fn component_has_licence_and_checksum() {
        let lock = "[[package]]\nname = \"x\"\nversion = \"1.0.0+2\"\nchecksum = \"ab\"\n\n[[package]]\nname = \"y\"\nversion = \"1.0.0\"\n";
        let checksum_table = checksums(lock);
        assert_eq!(checksum_table.len(), 1);
        let entry = component(
            &json!({ "name": "x", "version": "1.0.0+2", "license": "MIT/Apache-2.0" }),
            &checksum_table,
        );
        assert_eq!(entry["purl"], "pkg:cargo/x@1.0.0%2B2");
        assert_eq!(entry["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert_eq!(entry["hashes"][0]["content"], "ab");
    }
}
