package io.hiroba.records.saved;

import io.hiroba.accounts.Profile;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.records.RecordsProblem;
import java.util.function.Function;

/** What of somebody a question may ask for. */
final class Traits {

    private final Users users;

    Traits(Users users) {
        this.users = users;
    }

    Function<String, String> of(UserId user) {
        return name -> switch (name) {
            case "id" -> user.hex();
            case "nickname" -> profile(user).user().nickname().value();
            case "email" -> profile(user).user().email().value();
            default -> throw RecordsProblem.invalid("caller", "must be id, nickname or email");
        };
    }

    private Profile profile(UserId user) {
        return users.find(user).orElseThrow(RecordsProblem::noUser);
    }
}
