package io.hiroba.inbox;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A type of resource: each has a table of its own, and one that links items to it. */
public enum ResourceType {
    ISSUE(1, "issue_notifications"),
    MERGE_REQUEST(2, "merge_request_notifications"),
    NOTE(3, "note_notifications"),
    COMMIT(4, "commit_notifications"),
    SSH_KEY(5, "ssh_keys_notification_links"),
    POST(6, "post_notifications"),
    SAGA(7, "saga_notifications"),
    KNOWLEDGE_SOURCE(8, "knowledge_source_notifications"),
    RECORD(9, "record_notifications"),
    NAMESPACE(10, "namespace_notifications");

    private static final Map<Integer, ResourceType> BY_CODE =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(ResourceType::code, Function.identity()));
    private static final Map<String, ResourceType> BY_NAME =
            Stream.of(values()).collect(Collectors.toUnmodifiableMap(ResourceType::text, Function.identity()));

    private final int code;
    private final String links;

    ResourceType(int code, String links) {
        this.code = code;
        this.links = links;
    }

    /** The number in the database. */
    public int code() {
        return code;
    }

    /** The table that links items to resources of this type. */
    public String links() {
        return "inbox." + links;
    }

    /** The name at every interface, for example {@code merge_request}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static ResourceType of(int code) {
        return Optional.ofNullable(BY_CODE.get(code)).orElseThrow();
    }

    public static Optional<ResourceType> find(String text) {
        return Optional.ofNullable(BY_NAME.get(text));
    }
}
