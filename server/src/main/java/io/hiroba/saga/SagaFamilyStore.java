package io.hiroba.saga;

import io.hiroba.platform.db.Reads;
import io.hiroba.platform.db.Tx;
import io.hiroba.saga.SagaDetails.ChildGroup;
import io.hiroba.saga.SagaDetails.Family;
import io.hiroba.saga.SagaDetails.Parent;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads which sagas a saga belongs to, started and goes on as, and locks them where one of them is ended by hand. */
final class SagaFamilyStore {

    /**
     * Locks the parent of a saga that is about to end; empty if it has none. Its row is locked before that of the child, as
     * everybody does who changes what a parent sees of its children.
     */
    Optional<SagaId> lockParent(Tx tx, SagaId child) {
        return tx.query("""
                SELECT id FROM saga.saga_states
                WHERE id = (SELECT parent_id FROM saga.saga_states WHERE id = :child)
                FOR NO KEY UPDATE
                """)
                .bind("child", child.value())
                .map(row -> new SagaId(row.getObject("id", UUID.class)))
                .findOne();
    }

    /** Whether sagas that it started have not ended; none is started meanwhile where its row is locked. */
    boolean hasOpenChildren(Tx tx, SagaId id) {
        return tx.query("""
                SELECT EXISTS (
                    SELECT FROM saga.saga_states
                    WHERE parent_id = :id AND status IN ('STARTED', 'RUNNING', 'COMPENSATING'))
                """).bind("id", id.value()).mapTo(Boolean.class).one();
    }

    /** @param hasChildren whether steps of the saga can start others */
    Family family(Reads reads, SagaId id, boolean hasChildren) {
        var children = hasChildren ? children(reads, id) : List.<ChildGroup>of();
        return reads.query("""
                SELECT s.parent_id, s.parent_step, s.child_index, s.child_count, p.workflow_name AS parent_workflow,
                       s.continued_from, s.continued_as
                FROM saga.saga_states AS s
                LEFT JOIN saga.saga_states AS p ON p.id = s.parent_id
                WHERE s.id = :id
                """)
                .bind("id", id.value())
                .map(row -> new Family(parent(row), id(row, "continued_from"), id(row, "continued_as"), children))
                .findOne()
                .orElse(Family.NONE);
    }

    static final String CHILDREN = """
            SELECT parent_step, max(child_count) AS in_all, count(*) AS started,
                   count(*) FILTER (WHERE status = 'COMPLETED') AS completed,
                   count(*) FILTER (WHERE status IN ('FAILED', 'CANCELLED')) AS undone,
                   count(*) FILTER (WHERE stuck) AS stuck
            FROM saga.saga_states
            WHERE parent_id = :parent
            GROUP BY parent_step
            ORDER BY parent_step
            """;

    private static List<ChildGroup> children(Reads reads, SagaId parent) {
        return reads.query(CHILDREN)
                .bind("parent", parent.value())
                .map(row -> new ChildGroup(
                        row.getInt("parent_step"),
                        row.getInt("in_all"),
                        row.getInt("started"),
                        row.getInt("completed"),
                        row.getInt("undone"),
                        row.getInt("stuck")))
                .list();
    }

    private static @Nullable Parent parent(ResultSet row) throws SQLException {
        var parent = id(row, "parent_id");
        return parent == null
                ? null
                : new Parent(
                        parent,
                        row.getString("parent_workflow"),
                        row.getInt("parent_step"),
                        row.getInt("child_index"),
                        row.getInt("child_count"));
    }

    private static @Nullable SagaId id(ResultSet row, String column) throws SQLException {
        var id = row.getObject(column, UUID.class);
        return id == null ? null : new SagaId(id);
    }
}
