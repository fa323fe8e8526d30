//! Kinds of objects that operators name, and the commands that list and create them.

/// Kind of an object.
pub(crate) struct ObjectKind {
    /// Word of the kind in messages of the admin API.
    name: &'static str,
    /// Value name of arguments that name an object of the kind.
    value_name: &'static str,
    /// Command that creates an object, after the word of the kind.
    create: Option<&'static str>,
}

const OBJECT_KINDS: [ObjectKind; 6] = [
    ObjectKind {
        name: "client",
        value_name: "CLIENT",
        create: Some("create NAME"),
    },
    ObjectKind {
        name: "key",
        value_name: "KEY_ID",
        create: Some("create --client CLIENT"),
    },
    ObjectKind {
        name: "context",
        value_name: "CONTEXT",
        create: Some("create --key KEY_ID TITLE"),
    },
    ObjectKind {
        name: "admin token",
        value_name: "TOKEN",
        create: Some("create --name NAME --role ROLE"),
    },
    ObjectKind {
        name: "user",
        value_name: "USER",
        create: None,
    },
    ObjectKind {
        name: "invoice",
        value_name: "INVOICE",
        create: None,
    },
];

impl ObjectKind {
    /// Returns the kind of the object that a message of the admin API reports as missing.
    pub(crate) fn of_missing(message: &str) -> Option<&'static Self> {
        let object = message.strip_prefix("There is no ")?;
        OBJECT_KINDS.iter().find(|kind| {
            object
                .strip_prefix(kind.name)
                .is_some_and(|id| id.starts_with(' '))
        })
    }

    /// Returns the kind of the object that an argument with this value name names.
    pub(crate) fn of_argument(value_name: &str) -> Option<&'static Self> {
        OBJECT_KINDS
            .iter()
            .find(|kind| kind.value_name == value_name)
    }

    /// Returns the commands that list and create objects, as a clause.
    pub(crate) fn commands(&self) -> String {
        let name = self.name;
        let create = self.create.map_or_else(String::new, |create| {
            format!(", `voight {name} {create}` creates one")
        });
        format!("`voight {name} list` prints them all{create}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Cli;
    use clap::CommandFactory;

    #[test]
    fn every_command_of_a_kind_exists() {
        let root = Cli::command();
        for kind in &OBJECT_KINDS {
            let words = kind.name.split(' ');
            let group = words.fold(&root, |command, word| {
                command.find_subcommand(word).unwrap()
            });
            assert!(group.find_subcommand("list").is_some(), "{}", kind.name);
            assert_eq!(
                group.find_subcommand("create").is_some(),
                kind.create.is_some(),
                "{}",
                kind.name
            );
        }
    }

    #[test]
    fn missing_object_is_recognised_by_its_kind() {
        let kind = |message| ObjectKind::of_missing(message).map(|kind| kind.name);
        assert_eq!(kind("There is no client \"acme\"."), Some("client"));
        assert_eq!(kind("There is no admin token \"ci\"."), Some("admin token"));
        assert_eq!(kind("There is no period without an invoice."), None);
        assert_eq!(kind("There is no keyboard."), None);
    }
}
