package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeCollections.Collection;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.knowledge.KnowledgeCollections.Member;
import io.hiroba.knowledge.KnowledgeCollections.Role;
import io.hiroba.knowledge.KnowledgeCollections.Visibility;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.platform.problem.Problem.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Reads and writes collections and their members. */
final class CollectionStore {

    void insert(Tx tx, Collection made, Instant now) {
        tx.update("""
                INSERT INTO knowledge.collections (id, owned_by, name, description, visibility, created_at)
                VALUES (:id, :owner, :name, :description, :visibility, :now)
                """)
                .bind("id", made.id().value())
                .bind("owner", made.owner().value())
                .bind("name", made.name())
                .bind("description", made.description())
                .bind("visibility", made.visibility().text())
                .bind("now", now)
                .execute();
    }

    void update(Tx tx, Collection now) {
        tx.update("""
                UPDATE knowledge.collections
                SET name = :name, description = :description, visibility = :visibility
                WHERE id = :id
                """)
                .bind("id", now.id().value())
                .bind("name", now.name())
                .bind("description", now.description())
                .bind("visibility", now.visibility().text())
                .execute();
    }

    private void setVisibility(Tx tx, CollectionId id, Visibility visibility) {
        tx.update("UPDATE knowledge.collections SET visibility = :visibility WHERE id = :id")
                .bind("id", id.value())
                .bind("visibility", visibility.text())
                .execute();
    }

    /** A private collection that has members is a shared one. */
    void makeShared(Tx tx, Collection collection) {
        if (collection.visibility() == Visibility.PRIVATE) {
            setVisibility(tx, collection.id(), Visibility.SHARED);
        }
    }

    void delete(Tx tx, CollectionId id) {
        tx.update("DELETE FROM knowledge.collections WHERE id = :id")
                .bind("id", id.value())
                .execute();
    }

    void deleteWatches(Tx tx, CollectionId id) {
        tx.update("DELETE FROM knowledge.collection_watches WHERE collection_id = :id")
                .bind("id", id.value())
                .execute();
    }

    /** Locks the names of an owner's collections until the transaction ends. */
    void lockOwner(Tx tx, UserId owner) {
        tx.lock("knowledge.collections", owner.hex());
    }

    /** Two collections of one owner, which are locked, do not share their name, whatever its case. */
    void requireOwnName(Reads reads, Collection named) {
        boolean taken = reads.query("""
                SELECT EXISTS (SELECT FROM knowledge.collections
                               WHERE owned_by = :owner AND lower(name) = lower(:name) AND id <> :id)
                """)
                .bind("owner", named.owner().value())
                .bind("name", named.name())
                .bind("id", named.id().value())
                .mapTo(Boolean.class)
                .one();
        if (taken) {
            throw new KnowledgeProblem(Kind.CONFLICT, "collection-name-taken", "name", named.name());
        }
    }

    int countOf(Reads reads, UserId owner) {
        return reads.query("SELECT count(*) FROM knowledge.collections WHERE owned_by = :owner")
                .bind("owner", owner.value())
                .mapTo(Integer.class)
                .one();
    }

    List<Collection> list(Reads reads, KnowledgeReader caller, long before, int limit) {
        return reads.query("""
                SELECT c.id, c.owned_by, c.name, c.description, c.visibility, knowledge.collection_role(c.id, :caller, :records) AS role
                FROM knowledge.collections c
                WHERE c.id = ANY ((SELECT knowledge.readable_collections(:caller, :records))::bigint[]) AND c.id < :before
                ORDER BY c.id DESC
                LIMIT :limit
                """)
                .bind("caller", caller.user().value())
                .bind("records", caller.records())
                .bind("before", before)
                .bind("limit", limit)
                .map(row -> collection(row))
                .list();
    }

    /** The collection if the caller has a role in it; an admin always has the highest. */
    Optional<Collection> find(Reads reads, Caller caller, CollectionId id) {
        return reads.query("""
                SELECT c.id, c.owned_by, c.name, c.description, c.visibility, r.role
                FROM knowledge.collections c
                CROSS JOIN LATERAL (
                    SELECT CASE WHEN :admin THEN 'manager' ELSE knowledge.collection_role(c.id, :caller, :records) END AS role) AS r
                WHERE c.id = :id AND r.role IS NOT NULL
                """)
                .bind("id", id.value())
                .bind("caller", caller.user().value())
                .bind("records", KnowledgeReader.of(caller).records())
                .bind("admin", caller.admin())
                .map(row -> collection(row))
                .findOne();
    }

    /** Locks a collection against everybody who changes it, its members or its sources. */
    void lock(Tx tx, CollectionId id) {
        tx.query("SELECT id FROM knowledge.collections WHERE id = :id FOR UPDATE")
                .bind("id", id.value())
                .mapTo(Long.class)
                .findOne();
    }

    /** Locks a collection against changes of it and its members alone. */
    void share(Tx tx, CollectionId id) {
        tx.query("SELECT id FROM knowledge.collections WHERE id = :id FOR SHARE")
                .bind("id", id.value())
                .mapTo(Long.class)
                .findOne();
    }

    /** Locks the next sources of the collection; whoever is at work on one is waited for. */
    List<SourceId> lockSources(Tx tx, CollectionId id, int limit) {
        return tx.query("""
                SELECT id FROM knowledge.knowledge_sources
                WHERE collection_id = :id
                ORDER BY id DESC
                LIMIT :limit
                FOR UPDATE
                """)
                .bind("id", id.value())
                .bind("limit", limit)
                .map(row -> new SourceId(row.getLong("id")))
                .list();
    }

    boolean hasSources(Reads reads, CollectionId id) {
        return reads.query("SELECT EXISTS (SELECT FROM knowledge.knowledge_sources WHERE collection_id = :id)")
                .bind("id", id.value())
                .mapTo(Boolean.class)
                .one();
    }

    List<Member> members(Reads reads, CollectionId id, long after, int limit) {
        return reads.query("""
                SELECT m.user_id, u.nickname, u.avatar, m.role
                FROM knowledge.collection_members m
                JOIN accounts.user_card u ON u.id = m.user_id
                WHERE m.collection_id = :id AND m.user_id > :after
                ORDER BY m.user_id
                LIMIT :limit
                """)
                .bind("id", id.value())
                .bind("after", after)
                .bind("limit", limit)
                .map(row -> new Member(
                        new UserId(row.getLong("user_id")),
                        row.getString("nickname"),
                        row.getString("avatar"),
                        role(row.getString("role"))))
                .list();
    }

    int countMembers(Reads reads, CollectionId id) {
        return reads.query("SELECT count(*) FROM knowledge.collection_members WHERE collection_id = :id")
                .bind("id", id.value())
                .mapTo(Integer.class)
                .one();
    }

    Optional<Role> role(Reads reads, CollectionId id, UserId user) {
        return reads.query("""
                SELECT role FROM knowledge.collection_members WHERE collection_id = :id AND user_id = :user
                """)
                .bind("id", id.value())
                .bind("user", user.value())
                .map(row -> role(row.getString("role")))
                .findOne();
    }

    /** Returns false if there is no such user. */
    boolean put(Tx tx, CollectionId id, UserId user, Role role, Instant now) {
        return tx.update("""
                INSERT INTO knowledge.collection_members (collection_id, user_id, role, added_at)
                SELECT :id, u.id, :role, :now FROM accounts.user_card u WHERE u.id = :user
                ON CONFLICT (collection_id, user_id) DO UPDATE SET role = excluded.role
                """)
                        .bind("id", id.value())
                        .bind("user", user.value())
                        .bind("role", role.text())
                        .bind("now", now)
                        .execute()
                == 1;
    }

    void remove(Tx tx, CollectionId id, UserId user) {
        tx.update("DELETE FROM knowledge.collection_members WHERE collection_id = :id AND user_id = :user")
                .bind("id", id.value())
                .bind("user", user.value())
                .execute();
    }

    void removeAll(Tx tx, CollectionId id) {
        tx.update("DELETE FROM knowledge.collection_members WHERE collection_id = :id")
                .bind("id", id.value())
                .execute();
    }

    private static Collection collection(ResultSet row) throws SQLException {
        return new Collection(
                new CollectionId(row.getLong("id")),
                new UserId(row.getLong("owned_by")),
                row.getString("name"),
                row.getString("description"),
                Visibility.valueOf(row.getString("visibility").toUpperCase(Locale.ROOT)),
                role(row.getString("role")));
    }

    private static Role role(String stored) {
        return Role.valueOf(stored.toUpperCase(Locale.ROOT));
    }
}
