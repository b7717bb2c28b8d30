package io.hiroba.platform.db;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGStatement;

/** A statement that returns rows. */
public final class Query extends SqlStatement<Query> {

    private static final Map<Class<?>, RowMapper<? extends @Nullable Object>> SINGLE = Map.of(
            Long.class, row -> orNull(row, row.getLong(1)),
            Integer.class, row -> orNull(row, row.getInt(1)),
            Short.class, row -> orNull(row, row.getShort(1)),
            Double.class, row -> orNull(row, row.getDouble(1)),
            Boolean.class, row -> orNull(row, row.getBoolean(1)),
            String.class, row -> row.getString(1),
            byte[].class, row -> row.getBytes(1),
            UUID.class, row -> row.getObject(1, UUID.class),
            OffsetDateTime.class, row -> row.getObject(1, OffsetDateTime.class),
            Instant.class, Query::instant);

    private final boolean plannedAnew;
    private int fetchSize;

    Query(Reads reads, String sql, boolean plannedAnew) {
        super(reads, sql);
        this.plannedAnew = plannedAnew;
    }

    @Override
    Query self() {
        return this;
    }

    /** How many rows are fetched at once, in a transaction, by {@link Rows#forEach}; all if this is not called. */
    public Query setFetchSize(int rows) {
        fetchSize = rows;
        return this;
    }

    /** Does not run the statement: the methods of the result do. */
    public <T extends @Nullable Object> Rows<T> map(RowMapper<T> mapper) {
        return new Rows<>(this, mapper);
    }

    /** The first column of each row. */
    @SuppressWarnings("unchecked") // the mapper found by a class makes instances of it
    public <T> Rows<T> mapTo(Class<T> type) {
        var mapper = SINGLE.get(type);
        if (mapper == null) {
            throw new IllegalArgumentException("no column can be read as " + type);
        }
        return map((RowMapper<T>) mapper);
    }

    PreparedStatement open() throws SQLException {
        var statement = prepared();
        if (plannedAnew) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        }
        if (fetchSize > 0) {
            statement.setFetchSize(fetchSize);
        }
        return statement;
    }

    private static <T> @Nullable T orNull(ResultSet row, T value) throws SQLException {
        return row.wasNull() ? null : value;
    }

    private static @Nullable Instant instant(ResultSet row) throws SQLException {
        @Nullable OffsetDateTime time = row.getObject(1, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
