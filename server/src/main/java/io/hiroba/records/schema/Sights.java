package io.hiroba.records.schema;

import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Reads;
import io.hiroba.records.Access;
import org.jspecify.annotations.Nullable;

/** Tells what callers see of a schema's records. */
public final class Sights {

    private final Users users;

    public Sights(Users users) {
        this.users = users;
    }

    public Sight of(Reads reads, Access access, Schema schema) {
        var rules = schema.rules().binding(access.role());
        var matching = rules.matching();
        return new Sight(
                schema, rules, access.user(), matching == null ? null : trait(reads, access, matching.equals()));
    }

    /** Nothing of an account that is gone. */
    private @Nullable String trait(Reads reads, Access access, Rules.Trait trait) {
        return switch (trait) {
            case ID -> access.user().hex();
            case EMAIL ->
                users.find(reads, access.user())
                        .map(profile -> profile.user().email().value())
                        .orElse(null);
        };
    }
}
