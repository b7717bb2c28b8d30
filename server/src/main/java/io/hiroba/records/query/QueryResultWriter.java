package io.hiroba.records.query;

import io.hiroba.records.Documents;
import io.hiroba.records.SchemaAttribute;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Writes query results as JSON straight from the stored documents, so that numbers keep all digits. */
final class QueryResultWriter {

    private QueryResultWriter() {}

    /** A page: {@code {items, next, count}}. */
    public static byte[] page(QueryResult found) {
        var bytes = new ByteArrayOutputStream();
        try (var out = Documents.exact().createGenerator(bytes)) {
            out.writeStartObject();
            out.writeName("items");
            out.writeStartArray();
            var byPlace = byPlace(found);
            for (var row : found.rows()) {
                row(out, found, byPlace, row);
            }
            out.writeEndArray();
            text(out, "next", found.next());
            var count = found.count();
            if (count != null) {
                out.writeName("count");
                out.writeStartObject();
                out.writeName("value");
                out.writeNumber(count.value());
                out.writeName("exact");
                out.writeBoolean(count.exact());
                text(out, "text", count.text());
                out.writeEndObject();
            }
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void row(JsonGenerator out, QueryResult found, @Nullable SchemaAttribute[] byPlace, ResultRow row) {
        out.writeStartObject();
        text(out, "id", row.id().toString());
        out.writeName("version");
        out.writeNumber(row.version());
        time(out, "createdAt", row.id().createdAt());
        text(out, "createdBy", row.createdBy().hex());
        time(out, "updatedAt", row.updatedAt());
        text(out, "updatedBy", row.updatedBy().hex());
        out.writeName("values");
        out.writeStartObject();
        values(out, byPlace, row.stored());
        joined(out, found.joined(), row);
        out.writeEndObject();
        out.writeEndObject();
    }

    /** Timestamps in the format of the API. */
    private static void time(JsonGenerator out, String name, Instant moment) {
        out.writeName(name);
        out.writePOJO(moment);
    }

    private static void values(JsonGenerator out, @Nullable SchemaAttribute[] byPlace, String stored) {
        try (var in = Documents.exact().createParser(stored)) {
            in.nextToken();
            for (int place = 0; in.nextToken() != JsonToken.END_ARRAY; place++) {
                var attribute = place < byPlace.length ? byPlace[place] : null;
                if (attribute == null || in.currentToken() == JsonToken.VALUE_NULL) {
                    in.skipChildren();
                } else {
                    out.writeName(attribute.name());
                    value(out, attribute, in);
                }
            }
        }
    }

    private static void value(JsonGenerator out, SchemaAttribute attribute, JsonParser in) {
        if (attribute.type().isTime()) {
            out.writeString(attribute.type().written(in.getLongValue()));
        } else if (in.currentToken().isNumeric()) {
            out.writeNumber(in.getString());
        } else {
            out.copyCurrentStructureExact(in);
        }
    }

    private static void joined(JsonGenerator out, List<QueryResult.Joined> joined, ResultRow row) {
        for (int i = 0; i < joined.size(); i++) {
            var target = row.targets().get(i);
            var attribute = joined.get(i).attribute();
            var value = target == null ? null : Documents.value(Documents.read(target), attribute);
            if (value != null && !value.isNull()) {
                out.writeName(joined.get(i).name());
                out.writePOJO(attribute.type().shown(value));
            }
        }
    }

    private static @Nullable SchemaAttribute[] byPlace(QueryResult found) {
        var byPlace = new @Nullable SchemaAttribute[found.schema().places()];
        for (var attribute : found.attributes()) {
            byPlace[attribute.place()] = attribute;
        }
        return byPlace;
    }

    private static void text(JsonGenerator out, String name, @Nullable String text) {
        out.writeName(name);
        if (text == null) {
            out.writeNull();
        } else {
            out.writeString(text);
        }
    }
}
