package io.hiroba.platform.mail;

import io.hiroba.platform.mail.MailConfig.Tls;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.InternetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.OptionalInt;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.eclipse.angus.mail.smtp.SMTPSenderFailedException;
import org.simplejavamail.MailException;
import org.simplejavamail.api.mailer.Mailer;
import org.simplejavamail.api.mailer.config.TransportStrategy;
import org.simplejavamail.mailer.MailerBuilder;

/** Sends mail through an SMTP server, over a connection of its own for each. */
final class SmtpTransport implements MailTransport {

    /** Of each step of the dialogue; about fifteen of them must fit into the lease of a claim. */
    private static final Duration TIMEOUT = Duration.ofSeconds(15);

    private final InternetAddress from;
    private final MailConfig.Smtp smtp;
    private volatile Login login;

    /** The library's sender, with the password that it signs in with. */
    private record Login(String password, Mailer mailer) {}

    SmtpTransport(MailConfig config) {
        this.from = config.sender();
        this.smtp = config.smtp();
        this.login = logIn(smtp.password().value());
    }

    /** With the password as it is now. */
    private Mailer mailer() {
        var password = smtp.password().value();
        var current = login;
        if (!current.password().equals(password)) {
            current = logIn(password);
            login = current;
        }
        return current.mailer();
    }

    private Login logIn(String password) {
        return new Login(password, connect(smtp, password));
    }

    private static Mailer connect(MailConfig.Smtp smtp, String password) {
        var builder = MailerBuilder.withTransportStrategy(strategy(smtp.tls()))
                .withSMTPServerHost(smtp.host())
                .withSMTPServerPort(smtp.port())
                // By default the library accepts any certificate.
                .trustingAllHosts(false)
                .verifyingServerIdentity(true)
                .withEmailValidator(MailAddress.VALIDATOR)
                .withSessionTimeout((int) TIMEOUT.toMillis());
        if (!smtp.user().isEmpty()) {
            builder.withSMTPServerUsername(smtp.user()).withSMTPServerPassword(password);
        }
        if (smtp.tls() == Tls.NONE) {
            builder.withProperty("mail.smtp.starttls.enable", "false");
        }
        return builder.buildMailer();
    }

    private static TransportStrategy strategy(Tls tls) {
        return switch (tls) {
            case STARTTLS -> TransportStrategy.SMTP_TLS;
            case TLS -> TransportStrategy.SMTPS;
            case NONE -> TransportStrategy.SMTP;
        };
    }

    @Override
    public void deliver(QueuedMail mail) throws MailTransportException {
        try {
            mailer().sendMail(MimeMessageWriter.write(mail, from)).join();
        } catch (MailException e) {
            var said = innermost(e);
            int code = replyCode(e).orElse(0);
            if (code >= 500) {
                throw MailTransportException.refusal(said, e);
            }
            throw MailTransportException.transientFailure(said, e);
        }
    }

    @Override
    public boolean keepsText() {
        return false;
    }

    @Override
    public void sweep(Duration age) {
        // Mails are stored in the database only.
    }

    /** The reply of the server to sender, recipient or content; empty if the dialogue did not get that far. */
    private static OptionalInt replyCode(Throwable failure) {
        var open = new ArrayDeque<Throwable>();
        var seen = new HashSet<Throwable>();
        open.add(failure);
        int found = 0;
        while (!open.isEmpty()) {
            var next = open.remove();
            if (!seen.add(next)) {
                continue;
            }
            found = Math.max(
                    found,
                    switch (next) {
                        case SMTPAddressFailedException address -> address.getReturnCode();
                        case SMTPSenderFailedException sender -> sender.getReturnCode();
                        case SMTPSendFailedException send -> send.getReturnCode();
                        default -> 0;
                    });
            if (next.getCause() != null) {
                open.add(next.getCause());
            }
            if (next instanceof MessagingException messaging && messaging.getNextException() != null) {
                open.add(messaging.getNextException());
            }
        }
        return found > 0 ? OptionalInt.of(found) : OptionalInt.empty();
    }

    private static String innermost(Throwable failure) {
        var cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage());
    }
}
