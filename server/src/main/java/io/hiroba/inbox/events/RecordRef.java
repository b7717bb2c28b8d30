package io.hiroba.inbox.events;

import io.hiroba.platform.events.Event;
import io.hiroba.platform.id.Ids;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The address of a record. */
record RecordRef(long project, String schema, UUID row) {

    static RecordRef of(Event event) {
        var payload = event.payload();
        return new RecordRef(
                Ids.parse(payload.path("projectId").asString("")),
                payload.path("schema").asString(""),
                UUID.fromString(payload.path("rowId").asString("")));
    }

    /** The namespace of a project's records. */
    static String namespace(long project) {
        return "hiroba/records/" + Ids.hex(project);
    }

    String externalId() {
        return "%s:%s:%s".formatted(Ids.hex(project), schema, row);
    }

    /** The beginning of the external ids of all records of the schema. */
    String allIds() {
        return "%s:%s:".formatted(Ids.hex(project), schema);
    }

    /** The beginning of the paths of all records of the schema. */
    String allUrls() {
        return url().substring(0, url().length() - row.toString().length());
    }

    String url() {
        return "/records/%s/%s/%s"
                .formatted(
                        Ids.hex(project),
                        URLEncoder.encode(schema, StandardCharsets.UTF_8).replace("+", "%20"),
                        row);
    }
}
