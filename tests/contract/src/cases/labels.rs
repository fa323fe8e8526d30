//! Promises of `LabelStore`.

use super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture};
use crate::generate::{address, audit, labelled};
use crate::paging::assert_paged;
use voight_domain::ports::LabelRecord;
use voight_domain::registry::{AuditAction, Context};
use voight_domain::verdict::Truth;

cases![
    a_label_replaces_the_one_before,
    labels_are_stored_completely,
    labels_are_paged_in_order
];

fn label(fixture: &Fixture, context: &Context, labels: Vec<LabelRecord>) {
    let entry = audit(AuditAction::AddressLabelled, &context.id, fixture.now());
    block_on_ok(fixture.store().put_labels(&context.id, labels, entry));
}

fn labels(fixture: &Fixture, context: &Context) -> Vec<LabelRecord> {
    block_on_ok(fixture.store().labels(&context.id, None, ALL))
}

fn labels_are_stored_completely(fixture: &mut Fixture) {
    const LABEL_COUNT: u32 = 2_000;
    let account = fixture.account();
    let labels_before: Vec<_> = (0..LABEL_COUNT)
        .map(|number| labelled(address(number), Truth::Human, fixture.now()))
        .collect();
    label(fixture, &account.context, labels_before.clone());
    assert_eq!(labels(fixture, &account.context), labels_before);
    let last = block_on_ok(fixture.store().audit(0, ALL)).pop();
    let expected_entry = audit(
        AuditAction::AddressLabelled,
        &account.context.id,
        fixture.now(),
    );
    assert_eq!(
        last.map(|record| record.entry),
        Some(expected_entry),
        "the labels are not audited, or more than once"
    );
    assert_eq!(
        block_on_ok(fixture.store().verdict(&account.context.id, &address(1))),
        None,
        "a label is no verdict"
    );
}

fn a_label_replaces_the_one_before(fixture: &mut Fixture) {
    let account = fixture.account();
    let elsewhere = fixture.context(&account.key);
    for context in [&account.context, &elsewhere] {
        label(
            fixture,
            context,
            vec![labelled(address(1), Truth::Human, fixture.now())],
        );
    }
    let new_labels = [labelled(address(1), Truth::Bot, fixture.now())];
    label(fixture, &account.context, new_labels.to_vec());
    assert_eq!(labels(fixture, &account.context), new_labels);
    assert_eq!(
        labels(fixture, &elsewhere)[0].label.truth,
        Truth::Human,
        "another context's label has changed"
    );
}

fn labels_are_paged_in_order(fixture: &mut Fixture) {
    let account = fixture.account();
    // Contexts whose ids sort before and after it, of the same client and of another.
    let other_contexts = [
        fixture.context(&account.key),
        fixture.context(&account.key),
        fixture.account().context,
    ];
    for number in [7, 0, 300, 2, 65_536, 9, 1] {
        label(
            fixture,
            &account.context,
            vec![labelled(address(number), Truth::Bot, fixture.now())],
        );
        for other_context in &other_contexts {
            label(
                fixture,
                other_context,
                vec![labelled(address(number + 1), Truth::Human, fixture.now())],
            );
        }
    }
    let page = |last: Option<&LabelRecord>, limit| {
        block_on_ok(fixture.store().labels(
            &account.context.id,
            last.map(|record| record.address),
            limit,
        ))
    };
    let complete = page(None, ALL);
    let addresses: Vec<_> = complete.iter().map(|record| record.address).collect();
    assert_eq!(addresses, [0, 1, 2, 7, 9, 300, 65_536].map(address));
    assert!(
        complete
            .iter()
            .all(|record| record.label.truth == Truth::Bot)
    );
    assert_paged(&complete, &[1, 2, 3, complete.len(), ALL], page);
}
