package io.hiroba.platform.mail;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A mail of the last days, for administrators.
 *
 * @param text what it said if it was written to a file; empty if it is waiting, failed or went out by SMTP, since mails
 *     hold codes that are nobody else's business
 * @param sentAt when it was sent; none while it waits or if it failed
 * @param error what went wrong at the last attempt, if it did
 */
public record RecentMail(
        long id,
        String to,
        String subject,
        String text,
        Instant queuedAt,
        @Nullable Instant sentAt,
        @Nullable String error) {}
