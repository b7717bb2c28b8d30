package io.hiroba.platform.mail;

import io.hiroba.platform.problem.Problem;
import java.time.Duration;

/** The reasons why a mail is refused. */
public final class MailProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private MailProblem(Kind kind, String code, String detail, Duration retryAfter) {
        super(kind, "mail." + code, detail, retryAfter);
    }

    private MailProblem(String code, String detail) {
        this(Kind.INVALID, code, detail, Duration.ZERO);
    }

    static MailProblem tooMany(Duration wait) {
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new MailProblem(
                Kind.RATE_LIMITED,
                "too-many",
                "Too many mails. Try again in %d s.".formatted(seconds),
                Duration.ofSeconds(seconds));
    }

    static MailProblem badAddress() {
        return new MailProblem("bad-address", "This is not an e-mail address that mail can be sent to.");
    }

    static MailProblem badSubject(int longest) {
        return new MailProblem("bad-subject", "A subject is one line of 1 to %d characters.".formatted(longest));
    }

    static MailProblem badBody(int longest) {
        return new MailProblem("bad-body", "A mail holds at most %d characters and no NUL.".formatted(longest));
    }

    static MailProblem badUnsubscribe() {
        return new MailProblem("bad-unsubscribe", "A way to unsubscribe is an https or mailto address.");
    }
}
