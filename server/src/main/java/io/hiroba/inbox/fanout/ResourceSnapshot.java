package io.hiroba.inbox.fanout;

import io.hiroba.inbox.InboxProblem;
import io.hiroba.platform.i18n.Text;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * A resource as its source describes it at one time.
 *
 * @param externalId its id at its source
 * @param changedAt by the clock of its source
 */
public record ResourceSnapshot(
        ConnectionId connection,
        NamespaceId namespace,
        String externalId,
        String title,
        @Nullable String url,
        String state,
        Instant changedAt,
        ResourceDetails details) {

    private static final int MAX_ID_LENGTH = 255;
    private static final int MAX_TITLE_LENGTH = 500;
    private static final int MAX_URL_LENGTH = 2000;
    private static final int MAX_STATE_LENGTH = 30;

    public ResourceSnapshot {
        if (externalId.isBlank() || externalId.length() > MAX_ID_LENGTH) {
            throw InboxProblem.invalid("externalId", Text.of("inbox.field.characters", "max", MAX_ID_LENGTH));
        }
        title = cut(title.isBlank() ? externalId : title, MAX_TITLE_LENGTH);
        // Shown as a link: only web addresses and local paths are accepted.
        url = url != null && url.matches("(?i)https?://.+|/(?!/).*") && url.length() <= MAX_URL_LENGTH ? url : null;
        state = cut(state, MAX_STATE_LENGTH);
        // As the database stores it, so that a repeated snapshot has the same time.
        changedAt = changedAt.truncatedTo(ChronoUnit.MICROS);
    }

    private static String cut(String text, int maxLength) {
        var clean = text.replace('\0', ' ').strip();
        if (clean.length() <= maxLength) {
            return clean;
        }
        int end = Character.isHighSurrogate(clean.charAt(maxLength - 2)) ? maxLength - 2 : maxLength - 1;
        return clean.substring(0, end) + "…";
    }
}
