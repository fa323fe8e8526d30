//! Events of clients: lookups beside changes of verdicts, and lookups that have no event.

use crate::common::{open, schema_name, server};
use std::thread;
use voight_contract::block_on;
use voight_contract::generate::{START, ValueGenerator, address, audit, bot, human};
use voight_domain::events::{EventSubject, EventType};
use voight_domain::metering::LookupOutcome;
use voight_domain::ports::{
    CheckStore, EventStore, LookupStore, RegisterOutcome, RegistryStore, StoreError,
};
use voight_domain::registry::{AuditAction, Context, Key};
use voight_domain::verdict::Assessment;
use voight_domain::vocabulary::Environment;
use voight_postgres::PostgresStore;

/// Key and context of a new client.
struct TestAccount {
    make: ValueGenerator,
    key: Key,
    context: Context,
}

impl TestAccount {
    fn new(store: &PostgresStore) -> Self {
        let make = ValueGenerator::default();
        let client = make.client(START);
        let entry = |action| audit(action, &client.id, START);
        block_on(store.create_client(client.clone(), entry(AuditAction::ClientCreated)))
            .expect("a client");
        let key = make.key(client.id, Environment::Live, START);
        let key = block_on(store.create_key(key, entry(AuditAction::KeyIssued)))
            .expect("an answer")
            .expect("a key");
        let context = make.context(&key, START);
        let entry = entry(AuditAction::ContextRegistered);
        match block_on(store.register_context(context, None, entry)).expect("an answer") {
            RegisterOutcome::Registered(context) => Self { make, key, context },
            outcome => panic!("{outcome:?}"),
        }
    }

    fn conclude(&self, store: &PostgresStore, number: u32, assessment: Assessment) {
        let conclusion = self
            .make
            .conclusion(&self.context, address(number), assessment, START);
        block_on(store.conclude(conclusion)).expect("an answer");
    }

    /// Looks an address up; returns `true` if the answer is that of a bot.
    fn look_up(&self, store: &PostgresStore, number: u32) -> Result<bool, StoreError> {
        let request = self.make.lookup(&self.key, &self.context, address(number));
        match block_on(store.answer(request))? {
            LookupOutcome::Recorded(answer, _) => Ok(answer.answer.is_bot),
            outcome => panic!("{outcome:?}"),
        }
    }

    /// Returns `true` if the feed says that the address was flagged.
    fn has_flag_event(&self, store: &PostgresStore, number: u32) -> bool {
        let events = block_on(store.events(self.key.client, 0, usize::MAX)).expect("events");
        events.iter().any(|event| {
            let is_about_address = matches!(
                event.event.subject,
                EventSubject::Verdict { address: Some(subject), .. } if subject == address(number)
            );
            is_about_address && event.event.event_type == EventType::VerdictFlagged
        })
    }
}

#[test]
fn flag_beside_lookup_is_answered_or_an_event() {
    let server = server();
    let url = server.schema(&schema_name()).expect("a schema");
    let [first_node, second_node] = [0; 2].map(|_| open(&url).expect("a store"));
    let account = TestAccount::new(&first_node);
    for number in 0..60 {
        account.conclude(&first_node, number, human());
        let is_bot = thread::scope(|scope| {
            let lookup = scope.spawn(|| account.look_up(&first_node, number));
            account.conclude(&second_node, number, bot());
            lookup.join().expect("no panic")
        });
        assert_eq!(
            is_bot.map(|is_bot| !is_bot),
            Ok(account.has_flag_event(&first_node, number)),
            "address {number}: either the lookup has the flag, or an event"
        );
        let verdict = block_on(first_node.verdict(&account.context.id, &address(number)));
        let verdict = verdict.expect("an answer").expect("a verdict");
        assert!(
            verdict.looked_up && verdict.unverified.flagged,
            "{verdict:?}"
        );
    }
    let feed = block_on(first_node.event_feed(account.key.client)).expect("a feed");
    let events = block_on(first_node.events(account.key.client, 0, usize::MAX)).expect("events");
    let numbers: Vec<_> = events.iter().map(|event| event.number).collect();
    assert_eq!(numbers, (1..=feed.last).collect::<Vec<_>>());
}

#[test]
fn usual_lookup_touches_no_feed_and_no_verdict() {
    let server = server();
    let schema = schema_name();
    let store = open(&server.schema(&schema).expect("a schema")).expect("a store");
    let account = TestAccount::new(&store);
    for number in [1, 3] {
        account.conclude(&store, number, human());
    }
    assert_eq!(account.look_up(&store, 1), Ok(false));
    let hide = "ALTER TABLE event_feed RENAME TO hidden_feed;
        ALTER TABLE client_event RENAME TO hidden_event;
        ALTER TABLE webhook_endpoint RENAME TO hidden_endpoint;
        CREATE FUNCTION reject_update() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'a verdict is updated'; END $$;
        CREATE TRIGGER verdict_update BEFORE UPDATE ON verdict FOR EACH STATEMENT EXECUTE FUNCTION reject_update()";
    server
        .run(&format!("SET search_path = {schema}; {hide}"))
        .expect("SQL");
    for (number, description) in [(1, "looked up before"), (2, "without a verdict")] {
        let answer = account.look_up(&store, number);
        assert_eq!(answer, Ok(false), "an address {description}");
    }
    let first_lookup = account.look_up(&store, 3);
    let is_rejected = matches!(&first_lookup, Err(StoreError::NotApplied(why)) if why.contains("a verdict is updated"));
    assert!(is_rejected, "{first_lookup:?}");
}
