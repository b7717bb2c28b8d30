package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import io.hiroba.inbox.resources.Person;
import io.hiroba.inbox.resources.PersonId;
import org.jspecify.annotations.Nullable;

/** Who brought something about: an account here, somebody elsewhere, both at once, or nobody. */
public record Author(@Nullable UserId user, @Nullable PersonId person) {

    public static final Author NOBODY = new Author(null, null);

    public static Author of(Person person) {
        return new Author(person.user(), person.id());
    }

    public static Author of(UserId user) {
        return new Author(user, null);
    }

    boolean is(UserId other) {
        return other.equals(user);
    }

    boolean is(Person other) {
        return other.id().equals(person)
                || (other.user() != null && other.user().equals(user));
    }
}
