package io.hiroba.records;

import io.hiroba.accounts.UserId;

/**
 * A container of schemas, records and members.
 *
 * @param client who made it; part of its tables' names
 * @param autoIndex whether indexes follow the use without anybody's consent
 */
public record Project(ProjectId id, UserId client, String name, boolean autoIndex) {

    public ProjectTables tables() {
        return new ProjectTables(client, id);
    }
}
