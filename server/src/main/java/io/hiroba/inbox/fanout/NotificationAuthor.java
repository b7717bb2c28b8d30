package io.hiroba.inbox.fanout;

import io.hiroba.accounts.UserId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The author of a notification: an account here, a person elsewhere, both, or nobody. */
public record NotificationAuthor(
        @Nullable UserId user, @Nullable PersonId person) {

    public static final NotificationAuthor NOBODY = new NotificationAuthor(null, null);

    public static NotificationAuthor of(ExternalPerson person) {
        return new NotificationAuthor(person.user(), person.id());
    }

    public static NotificationAuthor of(Optional<ExternalPerson> person) {
        return person.map(NotificationAuthor::of).orElse(NOBODY);
    }

    public static NotificationAuthor of(UserId user) {
        return new NotificationAuthor(user, null);
    }

    @Nullable
    Long userValue() {
        return user == null ? null : user.value();
    }

    @Nullable
    Long personValue() {
        return person == null ? null : person.value();
    }

    boolean is(UserId other) {
        return other.equals(user);
    }

    boolean is(ExternalPerson other) {
        return other.id().equals(person)
                || (other.user() != null && other.user().equals(user));
    }
}
