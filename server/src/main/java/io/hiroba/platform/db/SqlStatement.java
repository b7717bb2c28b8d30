package io.hiroba.platform.db;

import io.hiroba.platform.trace.TraceSpan;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A statement with named parameters, all of which have to be bound. Values of names that are not in the text are ignored, so
 * that statements with different conditions can share their bindings.
 */
public abstract sealed class SqlStatement<S extends SqlStatement<S>> permits Query, Update, Batch {

    private static final Map<Class<?>, String> ELEMENTS = Map.of(
            Long.class, "int8",
            Integer.class, "int4",
            Short.class, "int2",
            Boolean.class, "bool",
            Double.class, "float8",
            Float.class, "float4",
            String.class, "varchar",
            UUID.class, "uuid",
            BigDecimal.class, "numeric",
            OffsetDateTime.class, "timestamptz");

    private final Reads reads;
    private final NamedSql sql;
    private @Nullable Object[] values;

    SqlStatement(Reads reads, String sql) {
        this.reads = reads;
        this.sql = NamedSql.of(sql);
        this.values = new Object[this.sql.names().size()];
    }

    /** NULL with a type, which PostgreSQL may need. */
    private record Null(int type) {}

    abstract S self();

    public final S bind(String name, @Nullable Long value) {
        return put(name, value, Types.BIGINT);
    }

    public final S bind(String name, @Nullable Integer value) {
        return put(name, value, Types.INTEGER);
    }

    public final S bind(String name, @Nullable Short value) {
        return put(name, value, Types.SMALLINT);
    }

    public final S bind(String name, @Nullable Boolean value) {
        return put(name, value, Types.BOOLEAN);
    }

    public final S bind(String name, @Nullable Double value) {
        return put(name, value, Types.DOUBLE);
    }

    public final S bind(String name, @Nullable BigDecimal value) {
        return put(name, value, Types.NUMERIC);
    }

    public final S bind(String name, @Nullable String value) {
        return put(name, value, Types.VARCHAR);
    }

    public final S bind(String name, @Nullable UUID value) {
        return put(name, value, Types.OTHER);
    }

    public final S bind(String name, @Nullable OffsetDateTime value) {
        return put(name, value, Types.TIMESTAMP_WITH_TIMEZONE);
    }

    public final S bind(String name, @Nullable Instant value) {
        return bind(name, value == null ? null : value.atOffset(ZoneOffset.UTC));
    }

    public final S bind(String name, @Nullable LocalDate value) {
        return put(name, value, Types.DATE);
    }

    public final S bind(String name, byte @Nullable [] value) {
        return put(name, value, Types.VARBINARY);
    }

    public final S bind(String name, Argument value) {
        return put(name, value, Types.NULL);
    }

    /** As the {@code bind} of its class, for a value whose class is not known statically. */
    public final S bindObject(String name, Object value) {
        return put(name, value, Types.NULL);
    }

    /** Binds an array of elements of this type. */
    public final S bindArray(String name, Class<?> type, @Nullable Object... elements) {
        var element = ELEMENTS.get(type);
        if (element == null) {
            throw new IllegalArgumentException("no array of " + type + " can be bound");
        }
        return bind(
                name,
                (statement, position) ->
                        statement.setArray(position, reads.connection.createArrayOf(element, elements)));
    }

    /** Binds an array of elements of this type. */
    public final S bindArray(String name, Class<?> type, Collection<?> elements) {
        return bindArray(name, type, elements.toArray());
    }

    /** Binds an array of {@code element} applied to each of {@code items}, as a column of rows. */
    public final <I, E> S bindArray(
            String name, Class<E> type, Collection<I> items, Function<? super I, ? extends @Nullable E> element) {
        // Of its own class, or the driver would send it as text.
        var elements = (@Nullable Object[]) Array.newInstance(type, items.size());
        int i = 0;
        for (var item : items) {
            elements[i++] = element.apply(item);
        }
        return bindArray(name, type, elements);
    }

    private S put(String name, @Nullable Object value, int type) {
        var place = sql.names().get(name);
        if (place != null) {
            values[place] = value == null ? new Null(type) : value;
        }
        return self();
    }

    /** The statement with its values, for the caller to close. */
    final PreparedStatement prepared() throws SQLException {
        var statement = reads.connection.prepareStatement(sql.text());
        try {
            set(statement, values);
        } catch (SQLException | RuntimeException e) {
            statement.close();
            throw e;
        }
        return statement;
    }

    /** Begins the statement's span in the trace that this thread works for. */
    final TraceSpan beginSpan() {
        var current = TraceSpan.current();
        return current.isRecording()
                ? current.child(sql.summary().text(), TraceSpan.Kind.CLIENT).set("db.system.name", "postgresql")
                : TraceSpan.NONE;
    }

    final PreparedStatement unset() throws SQLException {
        return reads.connection.prepareStatement(sql.text());
    }

    /** Keeps the notices of the database about a statement that was executed. */
    final void executed(PreparedStatement statement) throws SQLException {
        reads.keepNotices(statement.getWarnings());
    }

    /** Sets all values on the driver's statement. */
    final void set(PreparedStatement statement, @Nullable Object[] bound) throws SQLException {
        for (int i = 0; i < sql.places().size(); i++) {
            set(statement, i + 1, bound[sql.places().get(i)]);
        }
    }

    /** Returns the bound values and clears them. */
    final @Nullable Object[] take() {
        var bound = values;
        values = new Object[bound.length];
        return bound;
    }

    private void set(PreparedStatement statement, int position, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> throw new IllegalStateException("nothing is bound to :" + name(position - 1));
            case Null(int type) -> statement.setNull(position, type);
            case Long number -> statement.setLong(position, number);
            case Integer number -> statement.setInt(position, number);
            case String text -> statement.setString(position, text);
            case Boolean flag -> statement.setBoolean(position, flag);
            case Argument argument -> argument.set(statement, position);
            case OffsetDateTime time -> statement.setObject(position, time);
            case UUID id -> statement.setObject(position, id);
            case Short number -> statement.setShort(position, number);
            case Double number -> statement.setDouble(position, number);
            case BigDecimal number -> statement.setBigDecimal(position, number);
            case LocalDate date -> statement.setObject(position, date);
            case byte[] bytes -> statement.setBytes(position, bytes);
            default -> throw new IllegalArgumentException("cannot be bound: " + value.getClass());
        }
    }

    private String name(int place) {
        int number = sql.places().get(place);
        return sql.names().entrySet().stream()
                .filter(each -> each.getValue() == number)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }
}
