package io.hiroba.platform.events;

import io.hiroba.platform.id.Ids;
import java.time.Instant;
import tools.jackson.databind.node.ObjectNode;

/**
 * An event of the log as programs outside see it.
 *
 * @param id that of the event in the log
 * @param type for example {@code post.created}
 * @param key the resource that it is about: events of one key are told in order
 * @param data ids and paths, and nothing that not all who may read the event may read
 */
public record PublishedEvent(long id, String type, String key, ObjectNode data) {

    /** The field of the data with the project of a record. */
    public static final String PROJECT = "projectId";

    /** The field of the data with the workflow of a saga. */
    public static final String WORKFLOW = "workflowName";

    /** When it was appended, to about a second. */
    public Instant at() {
        return Ids.createdAt(id);
    }
}
