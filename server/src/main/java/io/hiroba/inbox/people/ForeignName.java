package io.hiroba.inbox.people;

import io.hiroba.accounts.Email;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.resources.ConnectionId;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * By what somebody goes elsewhere: a user name or an e-mail address, one of the two.
 *
 * @param connection the one GitLab that is meant; none for all of them
 */
public record ForeignName(
        @Nullable ConnectionId connection,
        @Nullable String username,
        @Nullable String email) {

    private static final int LONGEST = 255;

    public ForeignName {
        if ((username == null) == (email == null)) {
            throw InboxProblem.invalid("username", "or `email` must be given, and not both");
        }
    }

    /** Reads what somebody typed, with or without the at sign. */
    public static ForeignName username(@Nullable ConnectionId connection, String typed) {
        var name = typed.strip().replaceFirst("^@", "");
        if (name.isEmpty() || name.length() > LONGEST || !name.matches("[\\p{L}\\p{N}_.\\-]+")) {
            throw InboxProblem.invalid("username", "must be a user name, such as ann");
        }
        return new ForeignName(connection, name, null);
    }

    public static ForeignName email(@Nullable ConnectionId connection, Email email) {
        return new ForeignName(connection, null, email.value());
    }

    /** What is the same for all ways of writing it. */
    String key() {
        return email == null ? String.valueOf(username).toLowerCase(Locale.ROOT) : email;
    }
}
