package io.hiroba.bench.chaos.everything;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * A request of a client, with places to be filled in: {@code {entry}}, {@code {id}}, which is that of the answer before, and those of
 * {@link LedgerPlaces}.
 *
 * @param isKeyed whether a repetition has the key of the first
 */
record LedgerWrite(String method, String path, String body, boolean isKeyed, Map<String, String> headers) {

    private static final String BOUNDARY = "ledger";
    private static final Map<String, String> MULTIPART =
            Map.of("Content-Type", "multipart/form-data; boundary=" + BOUNDARY);

    /** One grey pixel. */
    private static final String PNG =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==";

    static LedgerWrite post(String path, String json) {
        return new LedgerWrite("POST", path, json.replace('\'', '"'), true, Map.of());
    }

    /** One that the server does again if it died while it did it: its key would be taken until it cannot be at work any more. */
    static LedgerWrite postWithoutKey(String path, String json) {
        return new LedgerWrite("POST", path, json.replace('\'', '"'), false, Map.of());
    }

    static LedgerWrite put(String path, String json) {
        return new LedgerWrite("PUT", path, json.replace('\'', '"'), false, Map.of());
    }

    /** Waits for an item of a list that names the entry, whose id the next request has. */
    static LedgerWrite find(String path) {
        return new LedgerWrite("GET", path, "", false, Map.of());
    }

    static LedgerWrite file(String path) {
        return upload(path, "{entry}", "the file of {entry}");
    }

    static LedgerWrite image(String path) {
        return upload(path, "{entry}.png", new String(Base64.getDecoder().decode(PNG), StandardCharsets.ISO_8859_1));
    }

    /** Without a key, as above. */
    private static LedgerWrite upload(String path, String name, String content) {
        return new LedgerWrite("POST", path, """
                --%1$s\r
                Content-Disposition: form-data; name="file"; filename="%2$s"\r
                Content-Type: application/octet-stream\r
                \r
                %3$s\r
                --%1$s--\r
                """.formatted(BOUNDARY, name, content), false, MULTIPART);
    }

    /** A call for an issue with the writer as its assignee. */
    static LedgerWrite gitlab(String path) {
        var json = """
                {'object_kind': 'issue', 'user': {'id': 1, 'username': 'root'}, 'project': {'id': 9, 'path_with_namespace': 'ledger/book'},
                 'object_attributes': {'id': {number}, 'title': '{entry}', 'action': 'open', 'state': 'opened'},
                 'assignees': [{'id': 2, 'username': 'writer', 'email': '{email}'}]}""".replace('\'', '"');
        return new LedgerWrite(
                "POST", path, json, true, Map.of("X-Gitlab-Token", "{secret}", "X-Gitlab-Event", "Issue Hook"));
    }

    LedgerWrite filled(LedgerPlaces places, String entry, String id) {
        var values = Map.of("entry", entry, "id", id, "number", entry.substring(entry.indexOf('-') + 1));
        var sent = new HashMap<String, String>();
        headers.forEach((name, value) -> sent.put(name, places.fill(value, values)));
        return new LedgerWrite(method, places.fill(path, values), places.fill(body, values), isKeyed, Map.copyOf(sent));
    }

    /** The id of what the answer tells of: of the item that names the entry where the request is for a list. */
    Optional<String> id(String answer, String entry) {
        if (answer.isBlank()) {
            return Optional.empty();
        }
        var json = JsonMapper.shared().readTree(answer);
        if (!method.equals("GET")) {
            return json.path("id").asStringOpt();
        }
        for (var item : json.path("items")) {
            if (item.toString().contains("\"" + entry + "\"")) {
                return item.path("id").asStringOpt();
            }
        }
        return Optional.empty();
    }
}
