package io.hiroba.records;

import io.hiroba.accounts.UserId;

/**
 * A store of records that belongs together: schemas, records and members of its own.
 *
 * @param client who made it; part of its tables' names
 * @param autoIndex whether indexes follow the use without anybody's consent
 */
public record Project(ProjectId id, UserId client, String name, boolean autoIndex) {

    public Tables tables() {
        return new Tables(client, id);
    }
}
