package io.hiroba.records.query;

import io.hiroba.accounts.UserId;
import io.hiroba.records.ProjectId;

/**
 * A query that a member has saved.
 *
 * @param schema the id of the schema
 * @param notifies whether the owner is notified of records that begin to match
 * @param shared whether all members of the project see it
 */
public record SavedQuery(
        SavedQueryId id,
        ProjectId project,
        UserId owner,
        short schema,
        String name,
        QueryDefinition definition,
        boolean notifies,
        boolean shared) {

    SavedQuery with(QueryDefinition changed) {
        return new SavedQuery(id, project, owner, schema, name, changed, notifies, shared);
    }

    /** Whether both notify the owner of the same records. */
    boolean notifiesLike(SavedQuery other) {
        return schema == other.schema && notifies == other.notifies && definition.equals(other.definition);
    }
}
