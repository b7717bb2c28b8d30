package io.hiroba.platform.export;

import io.hiroba.platform.db.Db;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.id.Ids;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/** Reads rows of a person page by page and writes each as a line of JSON, by the names and types of its columns. */
public final class ExportLineStore {

    private static final int PAGE = 200;
    private static final int BUFFER = 1 << 15;
    private static final String KEY = "key";
    private static final Pattern ID = Pattern.compile("id|.*_id|.*_by|reply_to");
    private static final Pattern NEXT_WORD = Pattern.compile("_([a-z])");

    private ExportLineStore() {}

    /**
     * A file of JSON lines.
     *
     * @param first the key before that of any row
     * @param sql a statement with {@code :user}, {@code :after} and {@code :limit}: the rows whose keys come after, in the order of
     *     their keys. Its column {@code key} is the key as text; the others are written. Numbers called {@code id},
     *     {@code …_id} or {@code …_by} are ids.
     */
    public record Lines(String file, String first, String sql) {}

    /** The content of a part that consists of such files. */
    public static ExportPart.Content content(Db db, List<Lines> files) {
        return (user, folder) -> {
            for (var lines : files) {
                write(db, user, lines, folder.begin(lines.file()));
            }
        };
    }

    private static void write(Db db, long user, Lines lines, OutputStream file) throws IOException {
        var out = new BufferedOutputStream(file, BUFFER);
        var page = page(db, user, lines, lines.first());
        while (true) {
            for (var line : page) {
                out.write(Json.mapper().writeValueAsBytes(line.values()));
                out.write('\n');
            }
            out.flush();
            if (page.size() < PAGE) {
                return;
            }
            page = page(db, user, lines, page.getLast().key());
        }
    }

    private record Line(String key, ObjectNode values) {}

    private static List<Line> page(Db db, long user, Lines lines, String after) {
        return db.read(reads -> page(reads, user, lines, after));
    }

    private static List<Line> page(Reads reads, long user, Lines lines, String after) {
        return reads.query(lines.sql())
                .bind("user", user)
                .bind("after", after)
                .bind("limit", PAGE)
                .map(ExportLineStore::line)
                .list();
    }

    private static Line line(ResultSet row) throws SQLException {
        var values = Json.mapper().createObjectNode();
        var columns = row.getMetaData();
        for (int column = 1; column <= columns.getColumnCount(); column++) {
            var name = columns.getColumnLabel(column);
            if (!name.equals(KEY)) {
                put(values, name, columns.getColumnTypeName(column), row, column);
            }
        }
        return new Line(row.getString(KEY), values);
    }

    private static void put(ObjectNode values, String column, String type, ResultSet row, int index)
            throws SQLException {
        var name = NEXT_WORD.matcher(column).replaceAll(word -> word.group(1).toUpperCase(Locale.ROOT));
        if (row.getObject(index) == null) {
            values.putNull(name);
            return;
        }
        switch (type) {
            case "bool" -> values.put(name, row.getBoolean(index));
            case "int2", "int4" -> values.put(name, row.getInt(index));
            case "int8" -> {
                if (ID.matcher(column).matches()) {
                    values.put(name, Ids.hex(row.getLong(index)));
                } else {
                    values.put(name, row.getLong(index));
                }
            }
            case "timestamptz" ->
                values.set(
                        name,
                        Json.mapper()
                                .valueToTree(row.getObject(index, OffsetDateTime.class)
                                        .toInstant()));
            case "json", "jsonb" -> values.putRawValue(name, new RawValue(row.getString(index)));
            default -> values.put(name, row.getString(index));
        }
    }
}
