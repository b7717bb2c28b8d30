package io.hiroba.inbox.fanout;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.db.Update;
import java.util.Collection;
import java.util.List;

/** The details of each type of resource and its participants. */
final class ResourceDetailStore {

    void write(Tx tx, ResourceId id, ResourceDetails details) {
        detailUpdate(tx, details).bind("id", id.value()).execute();
    }

    private static Update detailUpdate(Tx tx, ResourceDetails details) {
        return switch (details) {
            case ResourceDetails.Issue issue -> tx.update("""
                                INSERT INTO inbox.issues (id, iid) VALUES (:id, :iid)
                                ON CONFLICT (id) DO UPDATE SET iid = coalesce(excluded.iid, inbox.issues.iid)
                                """).bind("iid", issue.iid());
            case ResourceDetails.MergeRequest request ->
                tx.update("""
                                INSERT INTO inbox.merge_requests (id, iid, draft, merge_status)
                                VALUES (:id, :iid, :draft, :status)
                                ON CONFLICT (id) DO UPDATE
                                    SET iid = coalesce(excluded.iid, inbox.merge_requests.iid), draft = excluded.draft,
                                        merge_status = excluded.merge_status
                                """)
                        .bind("iid", request.iid())
                        .bind("draft", request.draft())
                        .bind("status", request.mergeStatus());
            case ResourceDetails.Note note ->
                tx.update("""
                                INSERT INTO inbox.notes (id, target_id) VALUES (:id, :target)
                                ON CONFLICT (id) DO UPDATE SET target_id = excluded.target_id
                                """)
                        .bind(
                                "target",
                                note.target() == null ? null : note.target().value());
            case ResourceDetails.Commit commit ->
                tx.update("""
                                INSERT INTO inbox.commits (id, sha, ref) VALUES (:id, :sha, :ref)
                                ON CONFLICT (id) DO UPDATE SET ref = coalesce(excluded.ref, inbox.commits.ref)
                                """).bind("sha", commit.sha()).bind("ref", commit.ref());
            case ResourceDetails.SshKey key ->
                tx.update("""
                                INSERT INTO inbox.ssh_keys (id, user_id, public_key, fingerprint, expires_at)
                                VALUES (:id, :user, :key, :fingerprint, :expires)
                                ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at
                                """)
                        .bind("user", key.owner() == null ? null : key.owner().value())
                        .bind("key", key.publicKey())
                        .bind("fingerprint", key.fingerprint())
                        .bind("expires", key.expiresAt());
            case ResourceDetails.Post post ->
                tx.update("INSERT INTO inbox.posts (id, post_id) VALUES (:id, :post) ON CONFLICT (id) DO NOTHING")
                        .bind("post", post.postId());
            case ResourceDetails.Saga saga ->
                tx.update("INSERT INTO inbox.sagas (id, saga_id) VALUES (:id, :saga) ON CONFLICT (id) DO NOTHING")
                        .bind("saga", saga.sagaId());
            case ResourceDetails.KnowledgeSource source -> tx.update("""
                                INSERT INTO inbox.knowledge_sources (id, source_id) VALUES (:id, :source)
                                ON CONFLICT (id) DO NOTHING
                                """).bind("source", source.sourceId());
            case ResourceDetails.RecordRow row ->
                tx.update("""
                                INSERT INTO inbox.records (id, project_id, row_id) VALUES (:id, :project, :row)
                                ON CONFLICT (id) DO NOTHING
                                """).bind("project", row.projectId()).bind("row", row.rowId());
            case ResourceDetails.Group group ->
                tx.update("""
                                INSERT INTO inbox.namespace_resources (id, subject_id) VALUES (:id, :subject)
                                ON CONFLICT (id) DO NOTHING
                                """).bind("subject", group.subject().value());
        };
    }

    List<ExternalPerson> participants(Reads reads, ResourceId resource, ParticipantRole role) {
        return reads.query("""
                        SELECT p.id, p.username, p.user_id
                        FROM inbox.participants
                        JOIN inbox.people p ON p.id = participants.person_id
                        WHERE participants.resource_id = :resource AND participants.role = :role
                        ORDER BY p.id
                        """)
                .bind("resource", resource.value())
                .bind("role", role.text())
                .map(row -> ExternalPersonStore.person(row))
                .list();
    }

    void setParticipants(Tx tx, ResourceId resource, ParticipantRole role, Collection<PersonId> people) {
        var ids = people.stream().map(PersonId::value).sorted().toArray(Long[]::new);
        tx.update("""
                        DELETE FROM inbox.participants
                        WHERE resource_id = :resource AND role = :role AND person_id <> ALL (:people)
                        """)
                .bind("resource", resource.value())
                .bind("role", role.text())
                .bindArray("people", Long.class, (Object[]) ids)
                .execute();
        tx.update("""
                        INSERT INTO inbox.participants (resource_id, role, person_id)
                        SELECT :resource, :role, person FROM unnest(:people) AS person
                        ON CONFLICT DO NOTHING
                        """)
                .bind("resource", resource.value())
                .bind("role", role.text())
                .bindArray("people", Long.class, (Object[]) ids)
                .execute();
    }

    void addParticipant(Tx tx, ResourceId resource, ParticipantRole role, PersonId person) {
        tx.update("""
                        INSERT INTO inbox.participants (resource_id, role, person_id) VALUES (:resource, :role, :person)
                        ON CONFLICT DO NOTHING
                        """)
                .bind("resource", resource.value())
                .bind("role", role.text())
                .bind("person", person.value())
                .execute();
    }
}
