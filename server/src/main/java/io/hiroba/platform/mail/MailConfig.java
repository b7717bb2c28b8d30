package io.hiroba.platform.mail;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;
import io.hiroba.platform.config.SecretText;
import jakarta.mail.internet.AddressException;
import jakarta.mail.internet.InternetAddress;

/** The settings of mail. */
public record MailConfig(
        @Default(MailConfig.DEFAULT_SENDER)
        @Doc("The sender, such as Hiroba <hello@square.example>. Required with mail.smtp.host.")
        String from,

        Smtp smtp,
        Limits limits) {

    static final String DEFAULT_SENDER = "Hiroba <hiroba@localhost>";

    /** Files instead of SMTP, with the default limits. */
    public static final MailConfig DEFAULT = new MailConfig(
            DEFAULT_SENDER, new Smtp("", 587, "", SecretText.of(""), Tls.STARTTLS), new Limits(2, 10, 100));

    public MailConfig {
        sender(from);
        if (smtp.isConfigured() && from.equals(DEFAULT_SENDER)) {
            throw new IllegalArgumentException("from must be set where smtp.host is");
        }
    }

    public MailConfig withFrom(String from) {
        return new MailConfig(from, smtp, limits);
    }

    public MailConfig withSmtp(Smtp smtp) {
        return new MailConfig(from, smtp, limits);
    }

    public MailConfig withLimits(Limits limits) {
        return new MailConfig(from, smtp, limits);
    }

    InternetAddress sender() {
        return sender(from);
    }

    private static InternetAddress sender(String from) {
        try {
            if (NewMail.breaksLine(from)) {
                throw new IllegalArgumentException("from must be one line");
            }
            var sender = new InternetAddress(from, true);
            MailAddress.canonical(sender.getAddress());
            return sender;
        } catch (AddressException | MailProblem e) {
            throw new IllegalArgumentException("from must be like Hiroba <hello@square.example>", e);
        }
    }

    /** The SMTP server; without a host, mail is written to files. */
    public record Smtp(
            @Default("") @Doc("The SMTP server. Empty means that mail is written as files into the data folder.")
            String host,

            @Default("587") @Doc("Its port: usually 587 for starttls, 465 for tls.")
            int port,

            @Default("") @Doc("The name to sign in with, if any.")
            String user,

            @Default("") @Secret @Doc("The password to sign in with.")
            SecretText password,

            @Default("starttls") @Doc("How the connection is secured; none is for a server on the same machine.")
            Tls tls) {

        public Smtp {
            if (port < 1 || port > 65_535) {
                throw new IllegalArgumentException("port must be between 1 and 65535, not " + port);
            }
            if (!password.isEmpty() && user.isEmpty()) {
                throw new IllegalArgumentException("user must be set where password is");
            }
        }

        public boolean isConfigured() {
            return !host.isEmpty();
        }

        @Override
        public String toString() {
            return "Smtp[host=%s, port=%d, user=%s, tls=%s]".formatted(host, port, user, tls);
        }
    }

    /** The encryption of the connection to the server. */
    public enum Tls {
        /** Requires an upgrade to TLS before authentication. */
        STARTTLS,
        /** TLS from the first byte. */
        TLS,
        /** Never: for a server on the same machine. */
        NONE
    }

    /** The number of mails accepted within any minute, over all nodes. */
    public record Limits(
            @Default("2") @Doc("Mails a minute to one address.")
            int perAddress,

            @Default("10") @Doc("Mails a minute to all addresses of one domain.")
            int perDomain,

            @Default("100") @Doc("Mails a minute in all.") int inAll) {

        public Limits {
            requirePositive("per-address", perAddress);
            requirePositive("per-domain", perDomain);
            requirePositive("in-all", inAll);
        }

        /** The part of the limits that mail which can wait may use. */
        Limits half() {
            return new Limits(Math.max(1, perAddress / 2), Math.max(1, perDomain / 2), Math.max(1, inAll / 2));
        }

        private static void requirePositive(String key, int value) {
            if (value < 1) {
                throw new IllegalArgumentException(key + " must be at least 1, not " + value);
            }
        }
    }
}
