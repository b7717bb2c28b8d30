package io.hiroba.inbox.fanout;

import io.hiroba.accounts.Email;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.platform.i18n.Text;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A user name or an e-mail address at a connection.
 *
 * @param connection null for all GitLab connections
 */
public record ExternalName(
        @Nullable ConnectionId connection,
        @Nullable String username,
        @Nullable String email) {

    private static final int MAX_LENGTH = 255;

    public ExternalName {
        if ((username == null) == (email == null)) {
            throw InboxProblem.invalid("username", Text.of("inbox.field.either", "other", "email"));
        }
    }

    /** Parses a typed user name, with or without an at sign. */
    public static ExternalName username(@Nullable ConnectionId connection, String typed) {
        var name = typed.strip().replaceFirst("^@", "");
        if (name.isEmpty() || name.length() > MAX_LENGTH || !name.matches("[\\p{L}\\p{N}_.\\-]+")) {
            throw InboxProblem.invalid("username", Text.of("inbox.field.username"));
        }
        return new ExternalName(connection, name, null);
    }

    public static ExternalName email(@Nullable ConnectionId connection, Email email) {
        return new ExternalName(connection, null, email.value());
    }

    /** The name in one spelling, for comparison. */
    String key() {
        return email == null ? String.valueOf(username).toLowerCase(Locale.ROOT) : email;
    }
}
