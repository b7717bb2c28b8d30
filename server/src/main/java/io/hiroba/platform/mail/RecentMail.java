package io.hiroba.platform.mail;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A mail of the last days, for administrators.
 *
 * @param text its content if it was written to a file; empty if it is queued, failed or was sent by SMTP, since mails
 *     contain codes
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
