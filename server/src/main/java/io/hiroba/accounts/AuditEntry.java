package io.hiroba.accounts;

import io.hiroba.platform.id.Ids;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that was done to an account and must be answered for.
 *
 * @param actor who did it, in person; none for the program itself
 * @param subject the account it was done to, if it was one
 * @param detail what it was done to where that is no account, such as a model's name
 */
public record AuditEntry(
        long id,
        @Nullable UserId actor,
        AuditLog.Action action,
        @Nullable UserId subject,
        @Nullable String detail) {

    public Instant at() {
        return Ids.createdAt(id);
    }
}
