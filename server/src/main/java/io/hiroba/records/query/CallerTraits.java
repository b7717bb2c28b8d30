package io.hiroba.records.query;

import io.hiroba.accounts.Profile;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.db.Reads;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.RecordsProblem;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Resolves the properties of a caller that a saved query may refer to. */
final class CallerTraits {

    private final Users users;

    CallerTraits(Users users) {
        this.users = users;
    }

    Function<String, String> of(UserId user) {
        return of(user, () -> users.find(user));
    }

    /** The same in the caller's transaction. */
    Function<String, String> of(Reads reads, UserId user) {
        return of(user, () -> users.find(reads, user));
    }

    /** @param profile supplied only if the query refers to it */
    private static Function<String, String> of(UserId user, Supplier<Optional<Profile>> profile) {
        return name -> switch (name) {
            case "id" -> user.hex();
            case "nickname" -> known(profile).user().nickname().value();
            case "email" -> known(profile).user().email().value();
            default -> throw RecordsProblem.invalid("caller", Text.of("records.query.caller"));
        };
    }

    private static Profile known(Supplier<Optional<Profile>> profile) {
        return profile.get().orElseThrow(RecordsProblem::noUser);
    }
}
