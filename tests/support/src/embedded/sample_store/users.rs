//! User of the sample store.

use crate::NOW;
use pollster::block_on;
use voight_domain::ports::UserStore;
use voight_domain::registry::{AuditAction, AuditEntry, Role, SignInLink, User};
use voight_domain::secrets::UserSecretDigest;
use voight_domain::vocabulary::UserId;
use voight_embedded::EmbeddedStore;
use voight_engine::testing::MapEngine;

/// Invites a user.
pub(super) fn create(store: &EmbeddedStore<MapEngine>, audit: AuditEntry) {
    let link = SignInLink {
        digest: UserSecretDigest([6; 32]),
        expires_at: NOW,
        used_at: None,
    };
    let id = UserId::from_bytes([6; 16]);
    let user = User::new(id, "Ada".parse().unwrap(), Role::Owner, NOW, link);
    let entry = AuditEntry {
        action: AuditAction::UserInvited,
        subject: id.to_string(),
        ..audit
    };
    block_on(store.create_user(user, entry)).unwrap();
}
