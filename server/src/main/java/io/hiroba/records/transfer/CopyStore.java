package io.hiroba.records.transfer;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.db.DbException;
import io.hiroba.platform.db.SqlState;
import io.hiroba.platform.db.Tx;
import io.hiroba.records.Tables;
import io.hiroba.records.data.Documents;
import io.hiroba.records.data.Row;
import io.hiroba.records.schema.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import org.postgresql.PGConnection;

/** Many new records at once. */
final class CopyStore {

    /** Writes {@code rows}; false, and nothing is written, if one breaks a promise that the schema makes. */
    boolean copy(Tx tx, Tables tables, Schema schema, UserId by, List<Row> rows) {
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

    private static byte[] text(Schema schema, UserId by, List<Row> rows) {
        var text = new ByteArrayOutputStream(rows.size() * 256);
        var between = "\t%d\t%d\t%d\t".formatted(by.value(), by.value(), schema.id());
        for (var row : rows) {
            // JSON has no control characters as they are, so the backslash is all that COPY would take for something
            // else.
            var document = Documents.exact().writeValueAsString(row.document());
            var line = row.id() + between + document.replace("\\", "\\\\") + "\n";
            text.writeBytes(line.getBytes(StandardCharsets.UTF_8));
        }
        return text.toByteArray();
    }
}
