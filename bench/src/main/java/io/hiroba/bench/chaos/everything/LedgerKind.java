package io.hiroba.bench.chaos.everything;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** A feature that entries are written through, and read back from. */
enum LedgerKind {
    POST("/api/v1/posts?ownedBy={writer}&limit=100"),
    RECORD("/api/v1/projects/{project}/records/ledger?limit=100"),
    SAGA("/api/v1/sagas?workflowName=ledger&status=COMPLETED&limit=100"),
    ITEM("/api/v1/inbox?type=issue&limit=100"),
    SOURCE("/api/v1/knowledge/sources?mine=true&limit=100"),

    /** A post that an agent answers; it is found again by the agent's reply. */
    QUESTION("/api/v1/posts?ownedBy={agent}&includeReplies=true&limit=100");

    private static final Pattern ANSWERED = Pattern.compile("\"replyTo\":\"(\\w+)\"");

    private final String list;

    LedgerKind(String list) {
        this.list = list;
    }

    /** A request of a client. */
    record Write(String method, String path, String json) {}

    /** The text of an entry. */
    String entry(long number) {
        return name().toLowerCase(Locale.ROOT) + "-" + number;
    }

    /** The requests that write an entry; the last one makes what is counted. */
    List<Write> writes(String entry, LedgerPlaces places) {
        return switch (this) {
            case POST -> List.of(post("/api/v1/posts", "{'content': '%s'}", entry));
            case QUESTION -> List.of(post("/api/v1/posts", "{'content': '@%s %s'}", LedgerPlaces.AGENT, entry));
            case RECORD ->
                List.of(post("/api/v1/projects/" + places.project() + "/records/ledger", "{'text': '%s'}", entry));
            case SAGA ->
                List.of(post(
                        "/api/v1/sagas", "{'workflowName': 'ledger', 'payload': {}, 'correlationId': '%s'}", entry));
            case SOURCE ->
                List.of(post(
                        "/api/v1/knowledge/sources",
                        "{'title': '%s', 'text': 'The line %s of a ledger.', 'visibility': 'private'}",
                        entry,
                        entry));
            case ITEM ->
                List.of(
                        new Write(
                                "PUT",
                                "/api/v1/inbox/resources/issue/" + entry,
                                json("{'title': '%s', 'namespace': 'ledger'}", entry)),
                        post(
                                "/api/v1/inbox/notify",
                                "{'user': '%s', 'action': 'mentioned', 'resourceType': 'issue', 'resource': '%s'}",
                                places.writer(),
                                entry));
        };
    }

    private static Write post(String path, String json, Object... values) {
        return new Write("POST", path, json(json, values));
    }

    @SuppressWarnings("AnnotateFormatMethod") // the formats are its own
    private static String json(String json, Object... values) {
        return json.formatted(values).replace('\'', '"');
    }

    /** What an entry is found again by. */
    String mark(String entry, String created) {
        return this == QUESTION ? created : entry;
    }

    /** Finds the mark in an item of the list. */
    Pattern marks() {
        return this == QUESTION ? ANSWERED : Pattern.compile("(" + name().toLowerCase(Locale.ROOT) + "-\\d+)");
    }

    /** The first page of everything that was written. */
    String list(LedgerPlaces places) {
        return list.replace("{writer}", places.writer())
                .replace("{project}", places.project())
                .replace("{agent}", places.agent());
    }
}
