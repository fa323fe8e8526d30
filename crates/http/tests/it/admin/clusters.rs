//! Import of wallet clusters.

use crate::admin::console::{Console, data};
use crate::common::ADDRESS;
use serde_json::json;

#[actix_web::test]
async fn clusters_are_audited_without_addresses() {
    let console = Console::new().await;
    let context = console.app.context().await;
    let path = format!("/admin/v1/contexts/{context}/clusters");
    let body = json!({"members": [{"address": ADDRESS, "cluster": "farm 1"}]});
    assert_eq!(
        data(&console.post(&path, &body).await),
        json!({"addresses": 1, "clusters": 1})
    );
    let entries = data(&console.get("/admin/v1/audit").await).to_string();
    assert!(
        entries.contains("cluster.imported") && entries.contains("1 addresses in 1 clusters"),
        "{entries}"
    );
    assert!(
        !entries.contains(ADDRESS) && !entries.contains("farm 1"),
        "{entries}"
    );
}

#[actix_web::test]
async fn invalid_cluster_members_are_rejected() {
    let console = Console::new().await;
    let context = console.app.context().await;
    let path = format!("/admin/v1/contexts/{context}/clusters");
    let member = |address: &str, cluster: &str| json!({"address": address, "cluster": cluster});
    for (members, named) in [
        (
            vec![member(ADDRESS, "a"), member("0x12", "a")],
            "members[1].address",
        ),
        (
            vec![member(ADDRESS, "a"), member(ADDRESS, "b")],
            "two clusters",
        ),
        (vec![member(ADDRESS, " ")], "name of the cluster"),
        (vec![], "1 to 10000"),
    ] {
        let answer = console.post(&path, &json!({"members": members})).await;
        let error = answer.json().to_string();
        assert!(
            (400..500).contains(&answer.status) && error.contains(named),
            "{named}: {error}"
        );
    }
}
