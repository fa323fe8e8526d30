use super::*;
use crate::{PostgresOptions, PostgresStore};
use std::sync::Arc;
use voight_contract::generate::START;
use voight_domain::secrets::PepperCommitment;
use voight_support::{FixedEntropy, ManualClock};
use voight_tests::postgres::Postgres;

fn store(server: &Postgres, schema: &str) -> Arc<PostgresStore> {
    let url = server
        .schema(&format!("{schema}_{}", std::process::id()))
        .unwrap()
        .parse()
        .unwrap();
    let options = PostgresOptions {
        url,
        evidence_max_bytes: 0,
    };
    crate::open(
        &options,
        Arc::new(ManualClock::new(START)),
        &FixedEntropy(1),
        PepperCommitment([7; 16]),
    )
    .unwrap()
}

#[test]
fn transaction_outcome_is_stable() {
    let server = Postgres::shared().unwrap();
    let store = store(&server, "fate");
    let transactions = Arc::clone(&store.transactions);
    let fates = store.task_runtime.block_on(async move {
        let transaction = transactions.begin().await?;
        let rolled_back_mark = transactions.next_marker(&transaction);
        let committed_mark = transactions.next_marker(&transaction);
        transaction.batch_execute(session::BEGIN).await?;
        assert!(
            write_and_commit(&transaction, &committed_mark)
                .await
                .is_ok()
        );
        // The answer to the first question may have been lost, too.
        let mut fates = Vec::new();
        for mark in [
            &rolled_back_mark,
            &rolled_back_mark,
            &committed_mark,
            &committed_mark,
        ] {
            fates.push(transactions.commit_outcome(mark).await?);
        }
        // A late commit is rejected.
        transaction.batch_execute(session::BEGIN).await?;
        assert!(matches!(
            write_and_commit(&transaction, &rolled_back_mark).await,
            Err(CommitError::NotApplied(_))
        ));
        Ok::<_, Error>(fates)
    });
    assert_eq!(
        fates.unwrap().unwrap(),
        [
            CommitOutcome::RolledBack,
            CommitOutcome::RolledBack,
            CommitOutcome::Committed,
            CommitOutcome::Committed
        ]
    );
}
