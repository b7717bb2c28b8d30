package io.hiroba.records.saved;

import io.hiroba.accounts.UserId;
import io.hiroba.records.ProjectId;

/**
 * A question that a member keeps.
 *
 * @param schema the id of the schema that it is about
 * @param notifies whether the owner is told of records that begin to match
 * @param shared whether all members of the project see it
 */
public record SavedQuery(
        SavedQueryId id,
        ProjectId project,
        UserId owner,
        short schema,
        String name,
        Question question,
        boolean notifies,
        boolean shared) {

    /** Whether the owner is told of the same records by this as by {@code other}. */
    boolean tellsAs(SavedQuery other) {
        return schema == other.schema && notifies == other.notifies && question.equals(other.question);
    }
}
