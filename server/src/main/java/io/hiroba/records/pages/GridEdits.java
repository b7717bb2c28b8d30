package io.hiroba.records.pages;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Sha256;
import io.hiroba.records.RowId;
import io.javalin.http.Context;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A request to change rows of a grid.
 *
 * @param key with which the request creates its rows once; empty for none
 * @param hash of the request, which tells a repeat
 */
record GridEdits(String key, String hash, List<Row> rows, List<NewRow> created, List<Row> deleted, List<Row> restored) {

    private static final ByteSize MAX_SIZE = ByteSize.parse("8MB");
    private static final int MAX_ROWS = 1000;

    /**
     * The cells of a row.
     *
     * @param typed texts by attribute, as people write them
     * @param values by attribute, as an earlier change answered them
     */
    record Cells(@Nullable JsonNode typed, @Nullable JsonNode values) {

        private static Cells of(JsonNode row) {
            return new Cells(row.get("typed"), row.get("values"));
        }
    }

    /**
     * A row that is there, or was.
     *
     * @param version that the reader sees; of a deleted one that of its deletion
     */
    record Row(RowId id, int version, Cells cells) {

        private static Row of(JsonNode row) {
            return new Row(
                    RowId.parse(row.path("id").asString("")),
                    row.path("version").asInt(-1),
                    Cells.of(row));
        }

        String place() {
            return id.toString();
        }
    }

    /** @param place the name of the row in the request, for its errors */
    record NewRow(String place, Cells cells) {}

    static GridEdits read(Context ctx) {
        var bytes = Body.bytes(ctx, MAX_SIZE);
        var body = Body.exactJson(ctx, bytes, JsonNode.class);
        var sent = new GridEdits(
                body.path("key").asString(""),
                Sha256.hex(bytes),
                rows(body.path("rows")),
                body.path("created")
                        .valueStream()
                        .map(row -> new NewRow(row.path("id").asString(""), Cells.of(row)))
                        .toList(),
                rows(body.path("deleted")),
                rows(body.path("restored")));
        sent.requireSize();
        return sent;
    }

    static GridEdits deletion(Context ctx) {
        var sent = new GridEdits("", "", List.of(), List.of(), rows(body(ctx).path("rows")), List.of());
        sent.requireSize();
        return sent;
    }

    static GridEdits restoration(Context ctx) {
        var sent = new GridEdits(
                "", "", List.of(), List.of(), List.of(), rows(body(ctx).path("rows")));
        sent.requireSize();
        return sent;
    }

    private static JsonNode body(Context ctx) {
        return Body.exactJson(ctx, Body.bytes(ctx, MAX_SIZE), JsonNode.class);
    }

    private static List<Row> rows(JsonNode rows) {
        return rows.valueStream().map(Row::of).toList();
    }

    private void requireSize() {
        int size = rows.size() + created.size() + deleted.size() + restored.size();
        if (size == 0 || size > MAX_ROWS) {
            throw HttpProblem.invalid("rows", Text.of("records.grid-too-many-rows", "max", MAX_ROWS));
        }
    }

    /** The rows by the places that errors of the batch count. */
    List<String> places() {
        return Stream.of(
                        rows.stream().map(Row::place),
                        created.stream().map(NewRow::place),
                        deleted.stream().map(Row::place))
                .flatMap(each -> each)
                .toList();
    }
}
