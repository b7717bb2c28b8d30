package io.hiroba.bench.social;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.events.Partitions;
import io.hiroba.platform.id.IdGenerator;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** The baseline: the writes of the facades in plain JDBC, without checks and Markdown. */
final class PlainSocialWrites {

    private static final String SNIPPET =
            "[{\"T\":\"p\",\"C\":[{\"X\":\"Hello \"},{\"T\":\"strong\",\"X\":\"square\"}]}]";

    private final Db db;
    private final IdGenerator ids;

    PlainSocialWrites(Db db, IdGenerator ids) {
        this.db = db;
        this.ids = ids;
    }

    private interface Work {
        void in(Connection connection) throws SQLException;
    }

    void post(long owner) {
        long id = ids.next();
        transaction(connection -> {
            try (var insert = connection.prepareStatement("""
                    WITH post AS (
                        INSERT INTO social.posts (id, snippet, owned_by, allow_likes, allow_replies)
                        VALUES (?, ?, ?, true, true)),
                    tag AS (INSERT INTO social.post_tags (post_id, name, owned_by) VALUES (?, 'bench', ?))
                    INSERT INTO social.post_details (post_id, content) VALUES (?, 'Hello **square**')
                    """)) {
                bind(insert, id, SNIPPET, owner, id, owner, id);
                insert.executeUpdate();
            }
            appendEvent(connection, owner, "post");
        });
    }

    void like(long by, long post) {
        transaction(connection -> {
            insertLike(connection, by, post);
            appendEvent(connection, post, "like");
        });
    }

    void follow(long follower, long followee) {
        transaction(connection -> {
            try (var insert = connection.prepareStatement("""
                    INSERT INTO social.user_follows (follower_id, followee_id, created_at)
                    VALUES (?, ?, ?)
                    """)) {
                bind(insert, follower, followee, OffsetDateTime.now(ZoneOffset.UTC));
                insert.executeUpdate();
            }
            appendEvent(connection, followee, "follow");
        });
    }

    void likeLockingTheCount(long by, long post) {
        transaction(connection -> {
            try (var update = connection.prepareStatement(
                    "UPDATE social.post_counts SET count_likes = count_likes WHERE post_id = ?")) {
                update.setLong(1, post);
                if (update.executeUpdate() != 1) {
                    throw new IllegalStateException("there is no counter to lock");
                }
            }
            insertLike(connection, by, post);
            appendEvent(connection, post, "like");
        });
    }

    private static void insertLike(Connection connection, long by, long post) throws SQLException {
        try (var insert = connection.prepareStatement("""
                INSERT INTO social.post_likes (post_id, liked_by, created_at)
                VALUES (?, ?, ?)
                """)) {
            bind(insert, post, by, OffsetDateTime.now(ZoneOffset.UTC));
            insert.executeUpdate();
        }
    }

    private static void appendEvent(Connection connection, long recipient, String type) throws SQLException {
        try (var append = connection.prepareStatement(
                "SELECT platform.append_events(ARRAY[CAST(? AS smallint)], ARRAY[CAST(? AS jsonb)])")) {
            append.setShort(1, Partitions.of(recipient));
            append.setString(
                    2, "{\"type\":\"" + type + "\",\"postId\":\"0000000000000001\",\"userId\":\"0000000000000001\"}");
            append.execute();
        }
    }

    private static void bind(PreparedStatement statement, Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
    }

    private void transaction(Work work) {
        try (var connection = db.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            work.in(connection);
            connection.commit();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
