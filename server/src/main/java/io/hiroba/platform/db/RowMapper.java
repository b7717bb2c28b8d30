package io.hiroba.platform.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Makes something of the row that a result stands at. */
@FunctionalInterface
public interface RowMapper<T extends @Nullable Object> {

    T map(ResultSet row) throws SQLException;
}
