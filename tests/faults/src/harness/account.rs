//! Account that owns all data that a scenario writes.

use anyhow::{Context as _, Result};
use voight_contract::block_on;
use voight_contract::generate::{START, ValueGenerator, audit};
use voight_domain::ports::{RegisterOutcome, Store};
use voight_domain::registry::{AuditAction, Client, Context, Key};
use voight_domain::vocabulary::Environment;

/// Client with a key and a context; by default the same ones in every store.
#[derive(Debug, Clone)]
pub struct TestAccount {
    /// Client of the account.
    pub client: Client,
    /// API key of the client.
    pub key: Key,
    /// Context of the key.
    pub context: Context,
}

impl Default for TestAccount {
    fn default() -> Self {
        Self::from_generator(&ValueGenerator::default())
    }
}

impl TestAccount {
    /// Generates an account.
    pub fn from_generator(generator: &ValueGenerator) -> Self {
        let client = generator.client(START);
        let key = generator.key(client.id, Environment::Live, START);
        let context = generator.context(&key, START);
        Self {
            client,
            key,
            context,
        }
    }

    /// Creates the client, the key and the context.
    pub fn create(self, store: &dyn Store) -> Result<Self> {
        let entry = |action, subject: &dyn ToString| audit(action, &subject.to_string(), START);
        let Self {
            client,
            key,
            context,
        } = self;
        let client = block_on(store.create_client(
            client.clone(),
            entry(AuditAction::ClientCreated, &client.id),
        ))?;
        let key = block_on(store.create_key(key.clone(), entry(AuditAction::KeyIssued, &key.id)))?;
        let key = key.context("the client of the key is missing")?;
        let context = Self::register(store, context)?;
        Ok(Self {
            client,
            key,
            context,
        })
    }

    /// Finds the account in the store, or creates its missing parts.
    ///
    /// The process that created it may have been killed before it was complete.
    pub fn find_or_create(store: &dyn Store) -> Result<Self> {
        let Self {
            client,
            key,
            context,
        } = Self::default();
        let entry = |action, subject: &dyn ToString| audit(action, &subject.to_string(), START);
        let client = match block_on(store.client(client.id))? {
            Some(client) => client,
            None => block_on(store.create_client(
                client.clone(),
                entry(AuditAction::ClientCreated, &client.id),
            ))?,
        };
        let key = match block_on(store.key(key.id))? {
            Some(key) => key,
            None => {
                block_on(store.create_key(key.clone(), entry(AuditAction::KeyIssued, &key.id)))?
                    .context("the client of the key is missing")?
            }
        };
        let context = Self::find_or_register(store, context)?;
        Ok(Self {
            client,
            key,
            context,
        })
    }

    /// Finds another context of the key in the store, or registers it.
    pub fn find_or_register_context(
        &self,
        store: &dyn Store,
        generator: &ValueGenerator,
    ) -> Result<Context> {
        Self::find_or_register(store, generator.context(&self.key, START))
    }

    fn find_or_register(store: &dyn Store, context: Context) -> Result<Context> {
        match block_on(store.context(&context.id))? {
            Some(context) => Ok(context),
            None => Self::register(store, context),
        }
    }

    fn register(store: &dyn Store, context: Context) -> Result<Context> {
        let entry = audit(AuditAction::ContextRegistered, &context.id, START);
        match block_on(store.register_context(context, None, entry))? {
            RegisterOutcome::Registered(context) => Ok(context),
            other => anyhow::bail!("the context was not registered: {other:?}"),
        }
    }
}
