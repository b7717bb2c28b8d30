package io.hiroba.bench.knowledge;

import io.hiroba.platform.db.Db;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.postgresql.PGConnection;

/**
 * The limit: the shortest statement that finds the nearest chunks and their texts, prepared once, by plain JDBC with binary
 * vectors and the settings that ours has. It knows no callers.
 */
final class PlainPgvector implements AutoCloseable {

    private static final int NEAREST = 10;

    private final Shelf shelf;
    private final Db db;

    PlainPgvector(Shelf shelf, Db db) {
        this.shelf = shelf;
        this.db = db;
    }

    /** @param condition on the table {@code e} of vectors, or {@code true} */
    List<Long> nearest(long question, String condition) {
        return nearest(question, condition, "");
    }

    /** The same without an index. */
    List<Long> exactly(long question, String condition) {
        return nearest(question, condition, "0 + ");
    }

    private List<Long> nearest(long question, String condition, String exactly) {
        return found(question, condition, exactly).stream().map(Found::chunk).toList();
    }

    /** The texts of the nearest, without an index. */
    List<String> textsExactly(long question) {
        return found(question, "true", "0 + ").stream().map(Found::text).toList();
    }

    private record Found(long chunk, String text) {}

    private List<Found> found(long question, String condition, String exactly) {
        try (var connection = db.dataSource().getConnection();
                var query = connection.prepareStatement(
                        """
                        SELECT n.chunk_id, c.content, n.distance
                        FROM (SELECT e.source_id, e.chunk_id, e.embedding <=> CAST(CAST(? AS real[]) AS halfvec) AS distance
                              FROM %s e
                              WHERE %s
                              ORDER BY %s(e.embedding <=> CAST(CAST(? AS real[]) AS halfvec))
                              LIMIT %d) AS n
                        JOIN knowledge.knowledge_chunks c ON c.source_id = n.source_id AND c.id = n.chunk_id
                        ORDER BY n.distance
                        """.formatted(shelf.space().table(), condition, exactly, NEAREST))) {
            var vector =
                    connection.unwrap(PGConnection.class).createArrayOf("float4", shelf.corpus.vector(-1 - question));
            query.setArray(1, vector);
            query.setArray(2, vector);
            var found = new ArrayList<Found>();
            try (var rows = query.executeQuery()) {
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
