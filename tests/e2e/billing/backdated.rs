//! Lookups in the past, and in large volumes: the store answers them directly, in this process.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use voight_contract::block_on;
use voight_contract::generate::{SECRETS, ValueGenerator};
use voight_domain::metering::{LookupOutcome, LookupRequest, MeterRules};
use voight_domain::ports::Store;
use voight_domain::secrets::Pepper;
use voight_domain::vocabulary::{EoaAddress, Timestamp};
use voight_embedded::StoreOptions;
use voight_redb::WalRedb;
use voight_support::{FixedEntropy, ManualClock};
use voight_tests::server::TestAccount;

/// Number of concurrent callers, whose rows share commits.
const CALLERS: u64 = 128;

/// Answers `count` lookups of this account at `time`, in the store of a data directory without a server.
pub(crate) fn look_up(data_dir: &Path, account: &TestAccount, count: u64, time: &str) {
    let store = open(data_dir, time.parse().expect("a time"));
    let context = account.context.parse().expect("a context id");
    let context = block_on(store.context(&context))
        .expect("a store that answers")
        .expect("the context of the account");
    let key = block_on(store.key(context.key))
        .expect("a store that answers")
        .expect("the key of the context");
    let digest = key.secrets.first().expect("a key has a secret").digest;
    let next = AtomicU64::new(0);
    let caller = || {
        while let number = next.fetch_add(1, Ordering::Relaxed)
            && number < count
        {
            let mut address = [0; 20];
            address[12..].copy_from_slice(&number.to_be_bytes());
            let address = EoaAddress::from_bytes(address);
            let request = LookupRequest {
                key: digest,
                context: context.id.clone(),
                address,
                address_key: SECRETS.address_key(),
                nonce: ValueGenerator::starting_at(number).bytes(),
                idempotency: None,
                rules: MeterRules::default(),
                is_detailed: false,
            };
            let outcome = block_on(store.answer(request)).expect("a store that answers");
            assert!(
                matches!(outcome, LookupOutcome::Recorded(..)),
                "{outcome:?}"
            );
        }
    };
    thread::scope(|scope| (0..CALLERS).for_each(|_| drop(scope.spawn(caller))));
}

fn open(data_dir: &Path, time: Timestamp) -> Arc<dyn Store> {
    let pepper =
        std::fs::read_to_string(data_dir.join("pepper")).expect("the pepper of the data directory");
    let pepper: Pepper = pepper.trim().parse().expect("a pepper");
    let path = data_dir.join("voight.redb");
    let options = StoreOptions {
        path,
        cache_bytes: 64 << 20,
        evidence_max_bytes: 1 << 20,
        reserved_free_bytes: 0,
    };
    let clock = Arc::new(ManualClock::new(time));
    voight_embedded::open::<WalRedb>(&options, clock, &FixedEntropy(0), pepper.commitment())
        .expect("the store opens")
}
