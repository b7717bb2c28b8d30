package io.hiroba.bench.knowledge;

import io.hiroba.platform.db.Db;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;

/**
 * The baseline: the shortest statement that finds the nearest chunks and their texts, prepared once, in plain JDBC with
 * binary vectors and our planner settings, without access checks.
 */
final class PlainPgvector implements AutoCloseable {

    private static final int NEAREST = 10;

    private final ChunkData data;
    private final Db db;

    PlainPgvector(ChunkData data, Db db) {
        this.data = data;
        this.db = db;
    }

    /** @param condition on the table {@code e} of vectors */
    List<Long> nearest(long query, String condition) {
        return nearest(query, condition, "");
    }

    /** An exact scan, without an index. */
    List<Long> exactly(long query, String condition) {
        return nearest(query, condition, "0 + ");
    }

    private List<Long> nearest(long query, String condition, String exactly) {
        return found(query, condition, exactly).stream().map(Found::chunk).toList();
    }

    /** The texts of the nearest chunks of an exact scan. */
    List<String> textsExactly(long query) {
        return found(query, "true", "0 + ").stream().map(Found::text).toList();
    }

    private record Found(long chunk, String text) {}

    private List<Found> found(long query, String condition, String exactly) {
        try (var connection = db.dataSource().getConnection();
                var statement =
                        connection.prepareStatement("""
                        SELECT n.chunk_id, c.content, n.distance
                        FROM (SELECT e.source_id, e.chunk_id, e.embedding <=> CAST(CAST(? AS real[]) AS halfvec) AS distance
                              FROM %s e
                              WHERE %s
                              ORDER BY %s(e.embedding <=> CAST(CAST(? AS real[]) AS halfvec))
                              LIMIT %d) AS n
                        JOIN knowledge.knowledge_chunks c ON c.source_id = n.source_id AND c.id = n.chunk_id
                        ORDER BY n.distance
                        """.formatted(data.space().table(), condition, exactly, NEAREST))) {
            var vector = connection.unwrap(PGConnection.class).createArrayOf("float4", data.corpus.vector(-1 - query));
            statement.setArray(1, vector);
            statement.setArray(2, vector);
            var found = new ArrayList<Found>();
            try (var rows = statement.executeQuery()) {
                while (rows.next()) {
                    found.add(new Found(rows.getLong(1), rows.getString(2)));
                }
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        db.close();
    }
}
