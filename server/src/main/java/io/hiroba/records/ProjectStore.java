package io.hiroba.records;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads and writes projects and their members. */
final class ProjectStore {

    /** Of the other people who are members and have the highest role, the one who has been there longest. */
    private static final String SUCCESSOR = """
            SELECT m.user_id, u.nickname
            FROM records.members AS m
            JOIN accounts.user_card AS u ON u.id = m.user_id
            WHERE m.project_id = own.project_id AND m.user_id <> own.user_id AND u.kind = 'person'
            ORDER BY m.role = 'OWNER' DESC, m.role = 'EDITOR' DESC, m.joined_at, m.user_id
            LIMIT 1
            """;

    void insert(Tx tx, Project project) {
        tx.update("""
                INSERT INTO records.projects (id, client_id, name, auto_index)
                VALUES (:id, :client, :name, :autoIndex)
                """)
                .bind("id", project.id().value())
                .bind("client", project.client().value())
                .bind("name", project.name())
                .bind("autoIndex", project.autoIndex())
                .execute();
        tx.query("SELECT records.make_tables(:suffix)")
                .bind("suffix", project.tables().suffix())
                .mapTo(String.class)
                .list();
    }

    void update(Tx tx, Project project) {
        tx.update("UPDATE records.projects SET name = :name, auto_index = :autoIndex WHERE id = :id")
                .bind("id", project.id().value())
                .bind("name", project.name())
                .bind("autoIndex", project.autoIndex())
                .execute();
    }

    /** The user creates no other project until {@code tx} ends. */
    void lockCreation(Tx tx, UserId user) {
        tx.lock("records.projects", user.hex());
    }

    /** The number of projects that the user created and still owns. */
    int countOwn(Reads reads, UserId user) {
        return reads.query("""
                SELECT count(*)
                FROM records.members AS m
                JOIN records.projects AS p ON p.id = m.project_id
                WHERE m.user_id = :user AND m.role = 'OWNER' AND p.client_id = :user
                """).bind("user", user.value()).mapTo(Integer.class).one();
    }

    /** Cancels index builds of the project, which would hold its tables, and waits briefly for other locks. */
    void delete(Tx tx, Project project) {
        tx.update("SET LOCAL lock_timeout = '5s'").execute();
        tx.query("""
                SELECT pg_cancel_backend(pid) FROM pg_stat_progress_create_index
                WHERE datname = current_database() AND relid = to_regclass(:records)
                """)
                .bind("records", project.tables().records())
                .mapTo(Boolean.class)
                .list();
        // Its views would hold the tables.
        tx.query("SELECT records.close_sql_access(:suffix)")
                .bind("suffix", project.tables().suffix())
                .mapTo(Boolean.class)
                .list();
        tx.query("SELECT records.drop_tables(:suffix)")
                .bind("suffix", project.tables().suffix())
                .mapTo(String.class)
                .list();
        tx.update("DELETE FROM records.projects WHERE id = :id")
                .bind("id", project.id().value())
                .execute();
    }

    Optional<Project> find(Reads reads, ProjectId id) {
        return reads.query("SELECT id, client_id, name, auto_index FROM records.projects WHERE id = :id")
                .bind("id", id.value())
                .map(row -> project(row))
                .findOne();
    }

    /** Locks the project and its members until {@code tx} ends. */
    Optional<Project> lock(Tx tx, ProjectId id) {
        return tx.query("SELECT id, client_id, name, auto_index FROM records.projects WHERE id = :id FOR UPDATE")
                .bind("id", id.value())
                .map(row -> project(row))
                .findOne();
    }

    Optional<Projects.Membership> membership(Reads reads, ProjectId id, UserId user) {
        return reads.query("""
                SELECT p.id, p.client_id, p.name, p.auto_index, m.role
                FROM records.members AS m
                JOIN records.projects AS p ON p.id = m.project_id
                WHERE m.project_id = :id AND m.user_id = :user
                """)
                .bind("id", id.value())
                .bind("user", user.value())
                .map(row -> membership(row))
                .findOne();
    }

    /** Which of {@code users} are members of which of {@code projects}. */
    Map<ProjectId, Set<UserId>> membersAmong(Reads reads, Collection<ProjectId> projects, Collection<UserId> users) {
        return reads
                .query("""
                        SELECT project_id, user_id FROM records.members
                        WHERE project_id = ANY (:projects) AND user_id = ANY (:users)
                        """)
                .bindArray("projects", Long.class, projects, ProjectId::value)
                .bindArray("users", Long.class, users, UserId::value)
                .map(row -> Map.entry(new ProjectId(row.getLong("project_id")), new UserId(row.getLong("user_id"))))
                .list()
                .stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toSet())));
    }

    /** The user's projects, the newest first. */
    List<Projects.Membership> of(Reads reads, UserId user, long before, int limit) {
        return reads.query("""
                SELECT p.id, p.client_id, p.name, p.auto_index, m.role
                FROM records.members AS m
                JOIN records.projects AS p ON p.id = m.project_id
                WHERE m.user_id = :user AND m.project_id < :before
                ORDER BY m.project_id DESC
                LIMIT :limit
                """)
                .bind("user", user.value())
                .bind("before", before)
                .bind("limit", limit)
                .map(row -> membership(row))
                .list();
    }

    /** The members by id, that is by the age of their accounts. */
    List<Projects.Member> members(Reads reads, ProjectId id, long after, int limit) {
        return reads.query("""
                SELECT m.user_id, u.nickname, u.avatar, m.role
                FROM records.members AS m
                JOIN accounts.user_card AS u ON u.id = m.user_id
                WHERE m.project_id = :id AND m.user_id > :after
                ORDER BY m.user_id
                LIMIT :limit
                """)
                .bind("id", id.value())
                .bind("after", after)
                .bind("limit", limit)
                .map(ProjectStore::member)
                .list();
    }

    /** The members whose nicknames begin with {@code prefix}. */
    List<Projects.Member> members(Reads reads, ProjectId id, String prefix, int limit) {
        return reads.query("""
                SELECT m.user_id, u.nickname, u.avatar, m.role
                FROM records.members AS m
                JOIN accounts.user_card AS u ON u.id = m.user_id
                WHERE m.project_id = :id AND starts_with(lower(u.nickname), lower(:prefix))
                ORDER BY lower(u.nickname), m.user_id
                LIMIT :limit
                """)
                .bind("id", id.value())
                .bind("prefix", prefix)
                .bind("limit", limit)
                .map(ProjectStore::member)
                .list();
    }

    /** The members who have these nicknames. */
    Map<String, List<UserId>> called(Reads reads, ProjectId id, Collection<String> nicknames) {
        return reads
                .query("""
                        SELECT n.typed, m.user_id
                        FROM unnest(:nicknames) AS n (typed)
                        JOIN accounts.user_card AS u ON lower(u.nickname) = lower(ltrim(btrim(n.typed), '@'))
                        JOIN records.members AS m ON m.project_id = :id AND m.user_id = u.id
                        """)
                .bind("id", id.value())
                .bindArray("nicknames", String.class, nicknames.toArray())
                .map(row -> Map.entry(row.getString("typed"), new UserId(row.getLong("user_id"))))
                .list()
                .stream()
                .collect(Collectors.groupingBy(
                        Map.Entry::getKey, Collectors.mapping(Map.Entry::getValue, Collectors.toList())));
    }

    private static Projects.Member member(ResultSet row) throws SQLException {
        return new Projects.Member(
                new UserId(row.getLong("user_id")),
                row.getString("nickname"),
                row.getString("avatar"),
                ProjectRole.valueOf(row.getString("role")));
    }

    /** Returns false if there is no such user. */
    boolean put(Tx tx, ProjectId id, UserId user, ProjectRole role) {
        return tx.update("""
                INSERT INTO records.members (project_id, user_id, role)
                SELECT :id, u.id, :role FROM accounts.user_card AS u WHERE u.id = :user
                ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role
                """)
                        .bind("id", id.value())
                        .bind("user", user.value())
                        .bind("role", role.name())
                        .execute()
                == 1;
    }

    /** Removes a member with what is theirs alone; queries that they share are handed over. */
    boolean remove(Tx tx, ProjectId id, UserId user) {
        // A query that is being saved is there first.
        tx.query("SELECT 1 FROM records.members WHERE project_id = :id AND user_id = :user FOR UPDATE")
                .bind("id", id.value())
                .bind("user", user.value())
                .mapTo(Integer.class)
                .list();
        handOverQueries(tx, id, user);
        return tx.update("DELETE FROM records.members WHERE project_id = :id AND user_id = :user")
                        .bind("id", id.value())
                        .bind("user", user.value())
                        .execute()
                == 1;
    }

    /** To the owner, or whoever becomes it, as with the project; to an agent only if no person owns the project. */
    private static void handOverQueries(Tx tx, ProjectId id, UserId user) {
        tx.update("""
                WITH handed_over AS (
                    UPDATE records.saved_queries AS q SET owner = heir.user_id, notify = false
                    FROM (
                        SELECT m.user_id
                        FROM records.members AS m
                        JOIN accounts.user_card AS u ON u.id = m.user_id
                        WHERE m.project_id = :id AND m.user_id <> :user AND (m.role = 'OWNER' OR u.kind = 'person')
                        ORDER BY m.role = 'OWNER' DESC, u.kind = 'person' DESC, m.role = 'EDITOR' DESC, m.joined_at, m.user_id
                        LIMIT 1
                    ) AS heir
                    WHERE q.project_id = :id AND q.owner = :user AND q.shared
                    RETURNING q.id
                )
                DELETE FROM records.saved_matches WHERE query_id IN (SELECT id FROM handed_over)
                """).bind("id", id.value()).bind("user", user.value()).execute();
    }

    boolean hasOwner(Reads reads, ProjectId id) {
        return reads.query("SELECT EXISTS (SELECT FROM records.members WHERE project_id = :id AND role = 'OWNER')")
                .bind("id", id.value())
                .mapTo(Boolean.class)
                .one();
    }

    /** The person who takes over a project that {@code user} leaves without an owner. */
    Optional<UserId> successor(Reads reads, ProjectId id, UserId user) {
        return reads.query("""
                SELECT s.user_id
                FROM records.members AS own
                CROSS JOIN LATERAL (%s) AS s
                WHERE own.project_id = :id AND own.user_id = :user
                """.formatted(SUCCESSOR))
                .bind("id", id.value())
                .bind("user", user.value())
                .map(row -> new UserId(row.getLong("user_id")))
                .findOne();
    }

    /** What becomes of the projects that nobody but the user owns, by their names. */
    List<Projects.Succession> successions(Reads reads, UserId user) {
        return reads.query("""
                SELECT p.name, s.nickname
                FROM records.members AS own
                JOIN records.projects AS p ON p.id = own.project_id
                LEFT JOIN LATERAL (%s) AS s ON true
                WHERE own.user_id = :user AND own.role = 'OWNER' AND NOT EXISTS (
                    SELECT FROM records.members AS other
                    WHERE other.project_id = own.project_id AND other.user_id <> own.user_id AND other.role = 'OWNER')
                ORDER BY lower(p.name), p.id
                """.formatted(SUCCESSOR))
                .bind("user", user.value())
                .map(row -> new Projects.Succession(row.getString("name"), row.getString("nickname")))
                .list();
    }

    private static Projects.Membership membership(ResultSet row) throws SQLException {
        return new Projects.Membership(project(row), ProjectRole.valueOf(row.getString("role")));
    }

    private static Project project(ResultSet row) throws SQLException {
        return new Project(
                new ProjectId(row.getLong("id")),
                new UserId(row.getLong("client_id")),
                row.getString("name"),
                row.getBoolean("auto_index"));
    }
}
