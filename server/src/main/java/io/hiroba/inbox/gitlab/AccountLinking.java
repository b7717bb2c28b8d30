package io.hiroba.inbox.gitlab;

import io.hiroba.inbox.InboxProblem;
import java.util.Locale;
import java.util.stream.Stream;

/** The rule by which a claim to a GitLab user name links an account. */
public enum AccountLinking {
    /** Every claim links an account. */
    OPEN,
    /** Only an admin or the same e-mail address links an account. */
    CONFIRMED;

    /** The name at every interface and in the database. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static AccountLinking parse(String text) {
        return Stream.of(values())
                .filter(linking -> linking.text().equals(text))
                .findFirst()
                .orElseThrow(() ->
                        InboxProblem.notOneOf("linking", Stream.of(values()).map(AccountLinking::text)));
    }
}
