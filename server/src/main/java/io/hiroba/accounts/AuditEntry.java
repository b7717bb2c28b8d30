package io.hiroba.accounts;

import io.hiroba.accounts.AuditLog.Action;
import io.hiroba.accounts.AuditLog.Person;
import io.hiroba.platform.id.Ids;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit log.
 *
 * @param code of the action, which may be one of another version
 * @param by the person who acted, even as another user; none for the server and for strangers
 * @param as the user they acted as, if it was another
 * @param about the account that it is about, if any
 * @param via {@code session}, {@code token}, {@code grpc} or {@code server}, if it is known
 * @param viaId the session or token
 * @param kind the code of the target's kind
 * @param detail the name of the target
 * @param before a JSON object of the fields that were changed; likewise {@code after}
 */
public record AuditEntry(
        long id,
        String code,
        @Nullable Person by,
        @Nullable Person as,
        @Nullable Person about,
        @Nullable String via,
        @Nullable Long viaId,
        @Nullable String address,
        @Nullable String agent,
        @Nullable String requestId,
        @Nullable String kind,
        @Nullable String targetId,
        @Nullable String detail,
        @Nullable String before,
        @Nullable String after) {

    public Instant at() {
        return Ids.createdAt(id);
    }

    /** The action, where this version knows it. */
    public Action action() {
        return Action.find(code).orElseThrow();
    }

    @Nullable
    UserId actor() {
        return by == null ? null : by.id();
    }

    @Nullable
    UserId subject() {
        return about == null ? null : about.id();
    }
}
