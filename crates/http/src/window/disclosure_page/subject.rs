//! Subjects that the page explains, derived from the members of the evidence schema.

use super::texts::Texts;
use voight_domain::check::Disclosure;

/// Subject that the page explains. Variants are in the order of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    Check,
    Browser,
    Pointer,
    Keys,
    Activity,
    Page,
    Machine,
}

impl Subject {
    const ALL: [Self; 7] = [
        Self::Check,
        Self::Browser,
        Self::Pointer,
        Self::Keys,
        Self::Activity,
        Self::Page,
        Self::Machine,
    ];

    /// Returns the subject of a member of the schema. A test verifies that each member has one.
    fn for_member(member: &str) -> Option<Self> {
        Some(match member {
            "v" | "ctx" | "clock" | "layout" => Self::Check,
            "env" => Self::Browser,
            "pointer" | "touches" => Self::Pointer,
            "keys" => Self::Keys,
            "counts" | "focus" | "visibility" => Self::Activity,
            "hostCounts" => Self::Page,
            "device" => Self::Machine,
            _ => return None,
        })
    }

    /// Returns the name and the explanation of the subject.
    fn texts(self, texts: &Texts) -> (&str, &str) {
        match self {
            Self::Check => (&texts.check, &texts.check_text),
            Self::Browser => (&texts.browser, &texts.browser_text),
            Self::Pointer => (&texts.pointer, &texts.pointer_text),
            Self::Keys => (&texts.keys, &texts.keys_text),
            Self::Activity => (&texts.activity, &texts.activity_text),
            Self::Page => (&texts.page, &texts.page_text),
            Self::Machine => (&texts.machine, &texts.machine_text),
        }
    }
}

/// Returns names and explanations of the subjects to which the disclosed members belong.
pub(super) fn subjects<'a>(disclosed: &[Disclosure], texts: &'a Texts) -> Vec<(&'a str, &'a str)> {
    let members = disclosed.iter().flat_map(|section| section.members);
    let present: Vec<_> = members
        .filter_map(|member| Subject::for_member(member.name))
        .collect();
    let subjects = Subject::ALL
        .into_iter()
        .filter(|subject| present.contains(subject));
    subjects.map(|subject| subject.texts(texts)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use voight_detect::evidence_schema::EvidenceDocument;

    #[test]
    fn every_member_of_the_evidence_belongs_to_a_subject() {
        for member in EvidenceDocument::MEMBERS
            .iter()
            .flat_map(|section| section.members)
        {
            assert!(
                Subject::for_member(member.name).is_some(),
                "the page says nothing of {}",
                member.name
            );
        }
    }

    #[test]
    fn every_subject_is_shown() {
        let texts = super::super::texts::texts("en").unwrap();
        assert_eq!(
            subjects(&EvidenceDocument::MEMBERS, texts).len(),
            Subject::ALL.len()
        );
    }
}
