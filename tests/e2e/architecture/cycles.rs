//! Cycles of source files within a crate.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, UseTree, Visibility};
use voight_tests::paths::repository;

/// Path of a module within its crate.
type ModulePath = Vec<String>;

#[test]
fn files_form_no_cycle_beside_parent_and_child() {
    let root = repository();
    let folders =
        ["crates", "tests", "tests/detection"].map(|folder| std::fs::read_dir(root.join(folder)));
    let crates = folders
        .into_iter()
        .flat_map(|folder| folder.expect("a folder of crates"));
    let mut checked = 0;
    let mut cycles = Vec::new();
    for sources in crates
        .map(|entry| entry.expect("an entry").path().join("src"))
        .filter(|path| path.is_dir())
    {
        let modules = Modules::read(&sources);
        let cycles_of_crate = modules.cycles().into_iter();
        cycles.extend(cycles_of_crate.map(|files| (sources.clone(), files)));
        checked += modules.0.len();
    }
    assert!(cycles.is_empty(), "cycles of files: {cycles:#?}");
    assert!(checked > 1_000, "only {checked} files were checked");
}

/// Creates modules by their paths, each with one path that it uses.
fn modules(uses: &[(&str, &str)]) -> Modules {
    let path = |text: &str| -> ModulePath { text.split("::").map(str::to_owned).collect() };
    let modules = uses.iter().map(|(module, used_path)| {
        let module = Module {
            path: path(module),
            uses: vec![path(used_path)],
            ..Module::default()
        };
        (module.path.clone(), module)
    });
    Modules(modules.collect())
}

#[test]
fn cycle_without_a_parent_is_reported() {
    let children_of_a_parent = [
        ("wal", "wal::ring"),
        ("wal::ring", "wal"),
        ("wal::file", "wal"),
    ];
    assert!(modules(&children_of_a_parent).cycles().is_empty());
    let siblings = [("wal::ring", "wal::file"), ("wal::file", "wal::ring")];
    assert_eq!(modules(&siblings).cycles().len(), 1);
    let grandchild = [("wal", "wal::file::head"), ("wal::file::head", "wal")];
    assert_eq!(modules(&grandchild).cycles().len(), 1);
}

/// Modules of a crate, one for each file.
struct Modules(BTreeMap<ModulePath, Module>);

/// Names in the source of a module, without its tests.
#[derive(Default)]
struct Module {
    path: ModulePath,
    /// Absolute paths of public re-exports, by name.
    exports: BTreeMap<String, ModulePath>,
    /// Absolute paths of all other uses.
    uses: Vec<ModulePath>,
    /// Names of the child modules.
    children: BTreeSet<String>,
}

impl Modules {
    fn read(sources: &Path) -> Self {
        let files = super::rust_files(sources).into_iter().map(|file| {
            let name = file
                .strip_prefix(sources)
                .expect("a file of the crate")
                .with_extension("");
            let mut path: ModulePath = name
                .iter()
                .map(|part| part.to_string_lossy().into_owned())
                .collect();
            if path.len() == 1 && ["lib", "main"].contains(&path[0].as_str()) {
                path.clear();
            }
            let text = std::fs::read_to_string(&file).expect("a readable source file");
            let source = syn::parse_file(&text)
                .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let mut module = Module {
                path: path.clone(),
                ..Module::default()
            };
            module.children = source.items.iter().filter_map(child).collect();
            module.visit_file(&source);
            (path, module)
        });
        Self(files.collect())
    }

    /// Returns the files of each cycle that would remain if no module used its own parent: a module and its children were one
    /// file before a split.
    fn cycles(&self) -> BTreeSet<Vec<String>> {
        let used_modules = self.0.iter().map(|(path, module)| {
            let used_paths = module.uses.iter().map(|path| self.resolve(path));
            let used_paths = used_paths.filter(|used| Some(used.as_slice()) != parent(path));
            (path, used_paths.collect())
        });
        let used_modules: BTreeMap<_, _> = used_modules.collect();
        let reached_modules: BTreeMap<_, _> = self
            .0
            .keys()
            .map(|module| (module, reached_from(module, &used_modules)))
            .collect();
        let cycle = |module: &ModulePath| -> Vec<String> {
            let reached = reached_modules[module].iter();
            let cycle = reached.filter(|path| reached_modules[**path].contains(module));
            cycle.map(|path| path.join("::")).collect()
        };
        self.0
            .keys()
            .map(cycle)
            .filter(|cycle| !cycle.is_empty())
            .collect()
    }

    /// Returns the module that defines the item at an absolute path.
    fn resolve(&self, path: &[String]) -> ModulePath {
        let at = (0..=path.len())
            .rev()
            .find(|length| self.0.contains_key(&path[..*length]))
            .unwrap_or_default();
        let (module, rest) = path.split_at(at);
        let export = rest
            .split_first()
            .and_then(|(name, rest)| Some((self.0.get(module)?.exports.get(name)?, rest)));
        match export {
            Some((target, rest)) => self.resolve(&[target, rest].concat()),
            None => module.to_vec(),
        }
    }
}

/// Returns the path of the parent module; `None` for the root of the crate.
fn parent(module: &ModulePath) -> Option<&[String]> {
    module.split_last().map(|(_, parent)| parent)
}

/// Returns the modules that a module uses directly or indirectly.
fn reached_from<'a>(
    module: &'a ModulePath,
    used: &'a BTreeMap<&ModulePath, BTreeSet<ModulePath>>,
) -> BTreeSet<&'a ModulePath> {
    let mut reached = BTreeSet::new();
    let mut next = vec![module];
    while let Some(module) = next.pop() {
        let others = used[module].iter().filter(|other| *other != module);
        next.extend(others.filter(|other| reached.insert(*other)));
    }
    reached
}

impl Module {
    /// Returns the absolute form of a path within the crate; `None` for a path to another crate.
    fn absolute(&self, path: &[String]) -> Option<ModulePath> {
        let (first, rest) = path.split_first()?;
        match first.as_str() {
            "crate" => Some(rest.to_vec()),
            "self" => Some([&self.path, rest].concat()),
            "super" => {
                let supers = path.iter().take_while(|part| *part == "super").count();
                let parent = self.path.get(..self.path.len().checked_sub(supers)?)?;
                Some([parent, &path[supers..]].concat())
            }
            name if self.children.contains(name) => Some([&self.path, path].concat()),
            _ => None,
        }
    }

    fn add_use(&mut self, tree: &UseTree, mut prefix: ModulePath, is_export: bool) {
        let (name, part) = match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                return self.add_use(&path.tree, prefix, is_export);
            }
            UseTree::Group(group) => {
                return group
                    .items
                    .iter()
                    .for_each(|tree| self.add_use(tree, prefix.clone(), is_export));
            }
            UseTree::Name(name) => (name.ident.to_string(), Some(name.ident.to_string())),
            UseTree::Rename(rename) => (rename.rename.to_string(), Some(rename.ident.to_string())),
            UseTree::Glob(_) => (String::new(), None),
        };
        prefix.extend(part.filter(|part| part != "self"));
        let Some(path) = self.absolute(&prefix) else {
            return;
        };
        if is_export {
            self.exports.insert(name, path);
        } else {
            self.uses.push(path);
        }
    }
}

impl<'a> Visit<'a> for Module {
    fn visit_item_use(&mut self, item: &'a ItemUse) {
        if !is_test(&item.attrs) {
            self.add_use(
                &item.tree,
                Vec::new(),
                !matches!(item.vis, Visibility::Inherited),
            );
        }
    }

    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        if !is_test(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        let parts: Vec<_> = path
            .segments
            .iter()
            .map(|segment| segment.ident.to_string())
            .collect();
        if parts.len() > 1 && ["crate", "super"].contains(&parts[0].as_str()) {
            self.uses.extend(self.absolute(&parts));
        }
        visit::visit_path(self, path);
    }

    // The path of a visibility is no use.
    fn visit_vis_restricted(&mut self, _: &'a syn::VisRestricted) {}
}

fn child(item: &Item) -> Option<String> {
    match item {
        Item::Mod(child) => Some(child.ident.to_string()),
        _ => None,
    }
}

/// Returns `true` for the attributes of code that only tests contain.
pub(super) fn is_test(attributes: &[Attribute]) -> bool {
    attributes
        .iter()
        .any(|attribute| attribute.path().is_ident("cfg") && quoted(attribute).contains("test"))
}

fn quoted(attribute: &Attribute) -> String {
    attribute
        .meta
        .require_list()
        .map(|list| list.tokens.to_string())
        .unwrap_or_default()
}
