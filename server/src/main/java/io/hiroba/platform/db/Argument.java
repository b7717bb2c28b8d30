package io.hiroba.platform.db;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A value that sets itself as a parameter of a statement. */
@FunctionalInterface
public interface Argument {

    void set(PreparedStatement statement, int position) throws SQLException;
}
