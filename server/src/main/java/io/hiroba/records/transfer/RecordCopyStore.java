package io.hiroba.records.transfer;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectTables;
import io.hiroba.records.RecordRow;
import io.hiroba.records.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.PGConnection;

/** Writes many new records with COPY. */
final class RecordCopyStore {

    /** Writes {@code rows}; false, with nothing written, if one violates a constraint. */
    boolean copy(Tx tx, ProjectTables tables, Schema schema, UserId by, List<RecordRow> rows) {
        tx.update("SAVEPOINT before_copy").execute();
        try {
            var into =
                    "COPY %s (row_id, created_by, updated_by, schema_id, doc) FROM STDIN".formatted(tables.records());
            tx.connection()
                    .unwrap(PGConnection.class)
                    .getCopyAPI()
                    .copyIn(into, new ByteArrayInputStream(text(schema, by, rows)), 1 << 16);
            tx.update("RELEASE SAVEPOINT before_copy").execute();
            return true;
        } catch (SQLException e) {
            if (!SqlState.is(e, SqlState.UNIQUE_VIOLATION) && !SqlState.is(e, SqlState.FOREIGN_KEY_VIOLATION)) {
                throw new DbException(e);
            }
            tx.update("ROLLBACK TO SAVEPOINT before_copy").execute();
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] text(Schema schema, UserId by, List<RecordRow> rows) {
        var text = new ByteArrayOutputStream(rows.size() * 256);
        var between = "\t%d\t%d\t%d\t".formatted(by.value(), by.value(), schema.id());
        for (var row : rows) {
            // JSON contains no raw control characters, so only the backslash needs escaping for COPY.
            var document = Documents.exact().writeValueAsString(row.document());
            var line = row.id() + between + document.replace("\\", "\\\\") + "\n";
            text.writeBytes(line.getBytes(StandardCharsets.UTF_8));
        }
        return text.toByteArray();
    }
}
