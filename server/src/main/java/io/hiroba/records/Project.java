package io.hiroba.records;

import io.hiroba.accounts.UserId;

/**
 * A container of schemas, records and members.
 *
 * @param client the id of its creator, part of the table names
 * @param autoIndex whether indexes are created and dropped automatically
 */
public record Project(ProjectId id, UserId client, String name, boolean autoIndex) {

    public ProjectTables tables() {
        return new ProjectTables(client, id);
    }
}
