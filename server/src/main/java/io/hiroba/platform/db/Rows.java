package io.hiroba.platform.db;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The result of a query, mapped row by row. Each of these methods runs it. */
public final class Rows<T extends @Nullable Object> {

    private final Query query;
    private final RowMapper<T> mapper;

    Rows(Query query, RowMapper<T> mapper) {
        this.query = query;
        this.mapper = mapper;
    }

    public List<T> list() {
        var all = new ArrayList<T>();
        forEach(all::add);
        return all;
    }

    public Set<T> set() {
        return new LinkedHashSet<>(list());
    }

    public Stream<T> stream() {
        return list().stream();
    }

    /** The only row; any other number of rows is an error of the statement. */
    public T one() {
        var all = list();
        if (all.size() != 1) {
            throw new IllegalStateException("one row was expected, not " + all.size());
        }
        return all.getFirst();
    }

    /** The only row, if there is one and it is not null. */
    public Optional<T> findOne() {
        var all = list();
        if (all.size() > 1) {
            throw new IllegalStateException("one row at most was expected, not " + all.size());
        }
        return all.isEmpty() ? Optional.empty() : Optional.ofNullable(all.getFirst());
    }

    /** As {@link #findOne}, where there may be more rows. */
    public Optional<T> findFirst() {
        var all = list();
        return all.isEmpty() ? Optional.empty() : Optional.ofNullable(all.getFirst());
    }

    /** Row by row, with at most {@link Query#setFetchSize} of them in memory. */
    public void forEach(Consumer<? super T> action) {
        var span = query.beginSpan();
        try (var statement = query.open();
                var rows = statement.executeQuery()) {
            while (rows.next()) {
                action.accept(mapper.map(rows));
            }
            query.executed(statement);
        } catch (SQLException e) {
            span.fail(String.valueOf(e.getSQLState()));
            throw new DbException(e);
        } finally {
            span.end();
        }
    }
}
