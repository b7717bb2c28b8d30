package io.hiroba.inbox.resources;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.db.Update;
import java.time.ZoneOffset;

/** What only resources of one type have, in the database. */
final class DetailStore {

    void write(Tx tx, ResourceId id, Details details) {
        bound(tx, details).bind("id", id.value()).execute();
    }

    private static Update bound(Tx tx, Details details) {
        return switch (details) {
            case Details.Issue issue -> tx.update("""
                                INSERT INTO inbox.issues (id, iid) VALUES (:id, :iid)
                                ON CONFLICT (id) DO UPDATE SET iid = excluded.iid
                                """).bind("iid", issue.iid());
            case Details.MergeRequest request ->
                tx.update("""
                                INSERT INTO inbox.merge_requests (id, iid, draft, merge_status)
                                VALUES (:id, :iid, :draft, :status)
                                ON CONFLICT (id) DO UPDATE
                                    SET iid = excluded.iid, draft = excluded.draft, merge_status = excluded.merge_status
                                """)
                        .bind("iid", request.iid())
                        .bind("draft", request.draft())
                        .bind("status", request.mergeStatus());
            case Details.Note note ->
                tx.update("""
                                INSERT INTO inbox.notes (id, target_id) VALUES (:id, :target)
                                ON CONFLICT (id) DO UPDATE SET target_id = excluded.target_id
                                """)
                        .bind(
                                "target",
                                note.target() == null ? null : note.target().value());
            case Details.Commit commit ->
                tx.update("""
                                INSERT INTO inbox.commits (id, sha, ref) VALUES (:id, :sha, :ref)
                                ON CONFLICT (id) DO UPDATE SET ref = coalesce(excluded.ref, inbox.commits.ref)
                                """).bind("sha", commit.sha()).bind("ref", commit.ref());
            case Details.SshKey key ->
                tx.update("""
                                INSERT INTO inbox.ssh_keys (id, user_id, public_key, fingerprint, expires_at)
                                VALUES (:id, :user, :key, :fingerprint, :expires)
                                ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at
                                """)
                        .bind("user", key.owner() == null ? null : key.owner().value())
                        .bind("key", key.publicKey())
                        .bind("fingerprint", key.fingerprint())
                        .bind(
                                "expires",
                                key.expiresAt() == null ? null : key.expiresAt().atOffset(ZoneOffset.UTC));
            case Details.Post post ->
                tx.update("INSERT INTO inbox.posts (id, post_id) VALUES (:id, :post) ON CONFLICT (id) DO NOTHING")
                        .bind("post", post.postId());
            case Details.Saga saga ->
                tx.update("INSERT INTO inbox.sagas (id, saga_id) VALUES (:id, :saga) ON CONFLICT (id) DO NOTHING")
                        .bind("saga", saga.sagaId());
            case Details.KnowledgeSource source -> tx.update("""
                                INSERT INTO inbox.knowledge_sources (id, source_id) VALUES (:id, :source)
                                ON CONFLICT (id) DO NOTHING
                                """).bind("source", source.sourceId());
            case Details.RecordRow row ->
                tx.update("""
                                INSERT INTO inbox.records (id, project_id, row_id) VALUES (:id, :project, :row)
                                ON CONFLICT (id) DO NOTHING
                                """).bind("project", row.projectId()).bind("row", row.rowId());
            case Details.Group group ->
                tx.update("""
                                INSERT INTO inbox.namespace_resources (id, subject_id) VALUES (:id, :subject)
                                ON CONFLICT (id) DO NOTHING
                                """).bind("subject", group.subject().value());
        };
    }
}
