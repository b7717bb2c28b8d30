package io.hiroba.records;

import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Reads;
import org.jspecify.annotations.Nullable;

/** Resolves the access of callers to the records of a schema. */
public final class AccessResolver {

    private final Users users;

    public AccessResolver(Users users) {
        this.users = users;
    }

    public RecordAccess of(Reads reads, ProjectAccess access, Schema schema) {
        return of(reads, access, schema, schema.binding(access.role()));
    }

    /** The access that the caller would have under {@code rules}. */
    public RecordAccess of(Reads reads, ProjectAccess access, Schema schema, AccessRules rules) {
        var matching = rules.matching();
        return new RecordAccess(
                schema, rules, access.user(), matching == null ? null : trait(reads, access, matching.equals()));
    }

    /** Nothing of an account that is gone. */
    private @Nullable String trait(Reads reads, ProjectAccess access, AccessRules.Trait trait) {
        return switch (trait) {
            case ID -> access.user().hex();
            case EMAIL ->
                users.find(reads, access.user())
                        .map(profile -> profile.user().email().value())
                        .orElse(null);
        };
    }
}
