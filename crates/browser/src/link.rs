//! Modules that are always loaded together are served as one file: a browser spends far more on a request than on a small
//! module, and a module that imports another makes the visitor wait for one journey more.
//!
//! In a linked file each module is a function that is called once, after those that it imports, and returns what the module
//! exports; the entry itself stays a module. The sources follow three rules that make this simple, and tests hold them: imports come
//! first and end with `';`, what is exported is declared where it stands, and nothing imports in a circle.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The text of each file, by the path at which it is served.
pub(crate) type Texts = BTreeMap<&'static str, String>;

/// What is linked from which files on.
pub(crate) struct Plan {
    /// The files into which is linked what they import.
    pub(crate) entries: &'static [&'static str],
    /// Imported as ever, because somebody else has loaded it already. It lies in the folder of the entry.
    pub(crate) shared: &'static [&'static str],
    /// Linked, and served by themselves as well: whether a path is one of these.
    pub(crate) apart: fn(&str) -> bool,
}

/// Links all entries. What is in them is no file any more.
pub(crate) fn link(mut texts: Texts, plan: &Plan) -> Texts {
    let mut linked = Texts::new();
    let mut inner = BTreeSet::new();
    for entry in plan.entries {
        let mut file = File { texts: &texts, shared: plan.shared, entry, done: Vec::new(), out: String::new() };
        file.add(entry);
        inner.extend(file.done);
        linked.insert(*entry, file.out);
    }
    texts.retain(|path, _| !inner.contains(path) || plan.shared.contains(path) || (plan.apart)(path));
    texts.append(&mut linked);
    texts
}

/// A linked file in the making.
struct File<'a> {
    texts: &'a Texts,
    shared: &'a [&'static str],
    entry: &'static str,
    /// The modules that stand in it.
    done: Vec<&'static str>,
    out: String,
}

impl File<'_> {
    /// Writes a module after all that it imports.
    fn add(&mut self, path: &'static str) {
        let Some(text) = self.texts.get(path).filter(|_| !self.done.contains(&path)) else { return };
        self.done.push(path);
        let (imports, body) = parse(text);
        let imports: Vec<_> =
            imports.into_iter().filter_map(|(clause, target)| Some((clause, self.find(path, target)?))).collect();
        for (_, target) in &imports {
            if self.shared.contains(target) { self.import(target) } else { self.add(target) }
        }
        let is_entry = path == self.entry;
        if !is_entry {
            let _ = writeln!(self.out, "const {} = (() => {{", self.name(path));
        }
        for (clause, target) in imports {
            let _ = writeln!(self.out, "const {} = {};", pattern(clause), self.name(target));
        }
        if is_entry {
            self.out.push_str(body);
        } else {
            let exports = self.declare(body);
            let _ = writeln!(self.out, "return {{ {} }};\n}})();", exports.join(", "));
        }
    }

    /// The path of what a module imports as `./a.js` or `../a.js`; what there is not stays out.
    fn find(&self, from: &str, target: &str) -> Option<&'static str> {
        let mut parts: Vec<_> = from.split('/').collect();
        parts.pop();
        for part in target.split('/') {
            match part {
                "." => {}
                ".." => drop(parts.pop()),
                name => parts.push(name),
            }
        }
        self.texts.get_key_value(parts.join("/").as_str()).map(|(path, _)| *path)
    }

    fn import(&mut self, path: &'static str) {
        if !self.done.contains(&path) {
            self.done.push(path);
            let name = self.name(path);
            let file = path.rsplit('/').next().unwrap_or(path);
            let _ = writeln!(self.out, "import * as {name} from './{file}';");
        }
    }

    /// What a module is called in this file: `$collect_taps`.
    fn name(&self, path: &str) -> String {
        let folder = self.entry.rsplit_once('/').map_or("", |(folder, _)| folder);
        let within = path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/').trim_end_matches(".js");
        format!("${}", within.replace(|c: char| !c.is_alphanumeric(), "_"))
    }

    /// Writes a module's own lines, and returns what they export.
    fn declare<'t>(&mut self, body: &'t str) -> Vec<&'t str> {
        let mut exports = Vec::new();
        for line in body.split_inclusive('\n') {
            let Some(declaration) = line.strip_prefix("export ") else {
                self.out.push_str(line);
                continue;
            };
            if let Some(value) = declaration.strip_prefix("default ") {
                exports.push("default: $default");
                let _ = write!(self.out, "const $default = {value}");
            } else {
                exports.extend(declared(declaration));
                self.out.push_str(declaration);
            }
        }
        exports
    }
}

/// A module's imports, each with its clause (`{ a, b as c }`, `* as d` or `e`), and what follows them.
fn parse(text: &str) -> (Vec<(&str, &str)>, &str) {
    let mut imports = Vec::new();
    let mut body = text;
    while let Some((import, rest)) = body.strip_prefix("import ").and_then(|rest| rest.split_once("';\n")) {
        let Some(parts) = import.split_once(" from '") else { break };
        imports.push(parts);
        body = rest;
    }
    (imports, body)
}

/// The pattern that takes out of a module what a clause imports.
fn pattern(clause: &str) -> String {
    match clause.strip_prefix("* as ") {
        Some(name) => name.to_owned(),
        None if clause.starts_with('{') => clause.replace(" as ", ": "),
        None => format!("{{ default: {clause} }}"),
    }
}

/// The name that a declaration declares.
fn declared(declaration: &str) -> Option<&str> {
    let mut words = declaration.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.find(|word| !["async", "function", "class", "const"].contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: Plan =
        Plan { entries: &["w/main.js"], shared: &["w/shared.js"], apart: |path| path.ends_with("apart.js") };

    fn linked(files: &[(&'static str, &str)]) -> Texts {
        link(files.iter().map(|(path, text)| (*path, (*text).to_owned())).collect(), &PLAN)
    }

    #[test]
    fn a_module_is_called_after_what_it_imports_and_once() {
        let texts = linked(&[
            (
                "w/main.js",
                "import { a as one } from './a.js';\nimport * as b from './sub/b.js';\nawait one(b);\nexport class C {}\n",
            ),
            ("w/a.js", "export async function a() {}\nexport const n = 1;\n"),
            ("w/sub/b.js", "import {\n  n,\n} from '../a.js';\nexport function b() { return n; }\n"),
        ]);
        let text = "const $a = (() => {\nasync function a() {}\nconst n = 1;\nreturn { a, n };\n})();\n\
             const $sub_b = (() => {\nconst {\n  n,\n} = $a;\nfunction b() { return n; }\nreturn { b };\n})();\n\
             const { a: one } = $a;\nconst b = $sub_b;\nawait one(b);\nexport class C {}\n";
        assert_eq!(texts, Texts::from([("w/main.js", text.to_owned())]));
    }

    #[test]
    fn what_is_shared_is_imported_and_what_is_apart_is_served_as_well() {
        let texts = linked(&[
            ("w/main.js", "import { s } from './shared.js';\nimport texts from './apart.js';\ns(texts);\n"),
            ("w/shared.js", "export const s = 1;\n"),
            ("w/apart.js", "export default { a: 1 };\n"),
            ("w/other.js", "alone;\n"),
        ]);
        assert_eq!(
            texts["w/main.js"],
            "import * as $shared from './shared.js';\n\
             const $apart = (() => {\nconst $default = { a: 1 };\nreturn { default: $default };\n})();\n\
             const { s } = $shared;\nconst { default: texts } = $apart;\ns(texts);\n"
        );
        assert_eq!(texts.keys().copied().collect::<Vec<_>>(), ["w/apart.js", "w/main.js", "w/other.js", "w/shared.js"]);
    }
}
