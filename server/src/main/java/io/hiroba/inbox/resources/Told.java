package io.hiroba.inbox.resources;

import io.hiroba.inbox.InboxProblem;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A resource as it was told of.
 *
 * @param externalId by what name it goes where it comes from
 * @param changedAt by the clock of where it comes from
 */
public record Told(
        ConnectionId connection,
        NamespaceId namespace,
        String externalId,
        String title,
        @Nullable String url,
        String state,
        Instant changedAt,
        Details details) {

    private static final int LONGEST_ID = 255;
    private static final int LONGEST_TITLE = 500;
    private static final int LONGEST_URL = 2000;
    private static final int LONGEST_STATE = 30;

    public Told {
        if (externalId.isBlank() || externalId.length() > LONGEST_ID) {
            throw InboxProblem.invalid("externalId", "must have 1 to %d characters".formatted(LONGEST_ID));
        }
        title = cut(title.isBlank() ? externalId : title, LONGEST_TITLE);
        // Shown as a link: nothing but the web may stand there.
        url = url != null && url.matches("(?i)https?://.+|/(?!/).*") && url.length() <= LONGEST_URL ? url : null;
        state = cut(state, LONGEST_STATE);
        // As the database keeps it: what is told twice happened at the same time.
        changedAt = changedAt.truncatedTo(ChronoUnit.MICROS);
    }

    private static String cut(String text, int longest) {
        var clean = text.replace('\0', ' ').strip();
        if (clean.length() <= longest) {
            return clean;
        }
        int end = Character.isHighSurrogate(clean.charAt(longest - 2)) ? longest - 2 : longest - 1;
        return clean.substring(0, end) + "…";
    }
}
