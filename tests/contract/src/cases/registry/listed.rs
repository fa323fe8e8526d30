//! Lists of the registry.

use super::super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture};
use crate::paging::assert_paged;
use std::fmt::Debug;
use std::time::Duration;
use voight_domain::ports::ContextFilter;
use voight_domain::registry::Client;

cases![foreign_context_is_missing, lists_are_paged_in_order];

fn foreign_context_is_missing(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_account = fixture.account();
    let context_of =
        |client: &Client, id| block_on_ok(fixture.store().context_of_client(client.id, id));
    assert_eq!(
        context_of(&account.client, &account.context.id).as_ref(),
        Some(&account.context)
    );
    assert_eq!(context_of(&other_account.client, &account.context.id), None);
    assert_eq!(context_of(&account.client, &other_account.context.id), None);
    assert_eq!(
        context_of(
            &account.client,
            &fixture.make.context(&account.key, fixture.now()).id
        ),
        None
    );
}

fn lists_are_paged_in_order(fixture: &mut Fixture) {
    let mut accounts = Vec::new();
    for number in 0..7 {
        // Ids start with their time, and several have the same time.
        fixture.clock.advance(Duration::from_millis(number / 3));
        accounts.push(fixture.account());
        fixture.context(&accounts[0].key);
    }
    let second = fixture.key(&accounts[0].client);
    let third = fixture.context(&second);
    let store = fixture.store();

    let clients = paged(
        |after, limit| block_on_ok(store.clients(after, limit)),
        |client| client.id,
    );
    assert_same(
        clients.iter().map(|client| client.id),
        accounts.iter().map(|account| account.client.id),
    );

    let contexts = |filter| {
        paged(
            move |after, limit| block_on_ok(store.contexts(filter, after, limit)),
            |c| c.id.clone(),
        )
    };
    assert_eq!(contexts(ContextFilter::All).len(), 7 + 7 + 1);
    assert_eq!(contexts(ContextFilter::Key(second.id)), [third]);
    assert_eq!(
        contexts(ContextFilter::Key(accounts[0].key.id)).len(),
        1 + 7
    );
    let of_client = contexts(ContextFilter::Client(accounts[0].client.id));
    assert_eq!(of_client.len(), 1 + 7 + 1);
    assert!(
        of_client
            .iter()
            .all(|context| context.client == accounts[0].client.id)
    );

    let keys = block_on_ok(store.keys(accounts[0].client.id));
    assert_same(
        keys.iter().map(|key| key.id),
        [accounts[0].key.id, second.id].into_iter(),
    );
    assert!(keys.is_sorted_by_key(|key| key.id));
}

/// Reads a list in pages of several sizes and checks that each yields the same sorted list.
fn paged<T: Debug + PartialEq, I: Ord>(
    page: impl Fn(Option<I>, usize) -> Vec<T>,
    id: impl Fn(&T) -> I,
) -> Vec<T> {
    let complete = page(None, ALL);
    assert!(
        complete.is_sorted_by_key(&id),
        "the list is not in the order of its ids: {complete:?}"
    );
    assert_paged(&complete, &[1, 2, 5, ALL], |last, limit| {
        page(last.map(&id), limit)
    });
    complete
}

fn assert_same<T: Ord + Debug>(listed: impl Iterator<Item = T>, made: impl Iterator<Item = T>) {
    let (listed, mut made): (Vec<_>, Vec<_>) = (listed.collect(), made.collect());
    made.sort();
    assert_eq!(listed, made);
}
