package io.hiroba.platform.mail;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;

/** The reasons why a mail is refused. */
public final class MailProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private MailProblem(Kind kind, String code, Duration retryAfter, Object... arguments) {
        super(kind, "mail." + code, Text.of("mail.problem." + code, arguments), retryAfter);
    }

    private MailProblem(String code, Object... arguments) {
        this(Kind.INVALID, code, Duration.ZERO, arguments);
    }

    static MailProblem tooMany(Duration wait) {
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new MailProblem(Kind.RATE_LIMITED, "too-many", Duration.ofSeconds(seconds), "seconds", seconds);
    }

    static MailProblem badAddress() {
        return new MailProblem("bad-address");
    }

    static MailProblem badSubject(int longest) {
        return new MailProblem("bad-subject", "max", longest);
    }

    static MailProblem badBody(int longest) {
        return new MailProblem("bad-body", "max", longest);
    }

    static MailProblem badUnsubscribe() {
        return new MailProblem("bad-unsubscribe");
    }
}
