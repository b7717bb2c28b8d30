package io.hiroba.platform.db;

import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Maps the current row of a result. */
@FunctionalInterface
public interface RowMapper<T extends @Nullable Object> {

    T map(ResultSet row) throws SQLException;
}
