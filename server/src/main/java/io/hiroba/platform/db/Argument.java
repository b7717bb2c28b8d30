package io.hiroba.platform.db;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A value that knows itself how it is handed to the driver. */
@FunctionalInterface
public interface Argument {

    void set(PreparedStatement statement, int position) throws SQLException;
}
