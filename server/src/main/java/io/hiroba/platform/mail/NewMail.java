package io.hiroba.platform.mail;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A mail to send. It refuses header injections and characters that cannot be stored.
 *
 * @param to one address, without a name
 * @param text the plain text, always present
 * @param html the same for readers of HTML
 * @param listUnsubscribe an https or mailto address for List-Unsubscribe
 * @param lifetime after which it is not sent any more; null for no limit
 */
public record NewMail(
        String to,
        String subject,
        String text,
        @Nullable String html,
        @Nullable String listUnsubscribe,
        @Nullable Duration lifetime) {

    private static final int MAX_SUBJECT = 200;
    private static final int MAX_BODY = 1_000_000;

    public NewMail {
        to = MailAddress.canonical(to);
        if (subject.isBlank() || subject.length() > MAX_SUBJECT || breaksLine(subject)) {
            throw MailProblem.badSubject(MAX_SUBJECT);
        }
        requireBody(text);
        if (html != null) {
            requireBody(html);
        }
        if (listUnsubscribe != null) {
            requireLink(listUnsubscribe);
        }
    }

    public NewMail(String to, String subject, String text) {
        this(to, subject, text, null, null, null);
    }

    public NewMail withHtml(String html) {
        return new NewMail(to, subject, text, html, listUnsubscribe, lifetime);
    }

    public NewMail withListUnsubscribe(String link) {
        return new NewMail(to, subject, text, html, link, lifetime);
    }

    public NewMail withLifetime(Duration lifetime) {
        return new NewMail(to, subject, text, html, listUnsubscribe, lifetime);
    }

    /** Control characters and Unicode's own line ends: what some mail program might take for the end of the header. */
    static boolean breaksLine(String text) {
        return text.codePoints().anyMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029);
    }

    private static void requireBody(String body) {
        if (body.length() > MAX_BODY || body.indexOf('\0') >= 0) {
            throw MailProblem.badBody(MAX_BODY);
        }
    }

    private static void requireLink(String link) {
        try {
            var uri = URI.create(link);
            if (!"https".equals(uri.getScheme()) && !"mailto".equals(uri.getScheme())) {
                throw MailProblem.badUnsubscribe();
            }
        } catch (IllegalArgumentException e) {
            throw MailProblem.badUnsubscribe();
        }
    }
}
