package io.hiroba.platform.mail;

import com.sanctionco.jmail.EmailValidator;
import com.sanctionco.jmail.JMail;
import java.net.IDN;
import java.util.Locale;

/** Validates the address of a recipient: plain, ASCII before the at sign, no name, no quotes, no list. */
final class MailAddress {

    private static final int MAX_LENGTH = 254;
    private static final String SPECIALS = "\"<>()[]\\,;:";

    /** A domain without a dot is fine: {@code admin@localhost}. */
    static final EmailValidator VALIDATOR = JMail.validator()
            .disallowIpDomain()
            .disallowQuotedIdentifiers()
            .disallowExplicitSourceRouting()
            .disallowObsoleteWhitespace()
            .requireAscii();

    private MailAddress() {}

    /** The address with its domain in lower-case ASCII. */
    static String canonical(String address) {
        int at = address.lastIndexOf('@');
        if (at < 1 || address.length() > MAX_LENGTH || address.chars().anyMatch(MailAddress::isRefused)) {
            throw MailProblem.badAddress();
        }
        var canonical = address.substring(0, at + 1) + asciiDomain(address.substring(at + 1));
        if (canonical.length() > MAX_LENGTH || VALIDATOR.isInvalid(canonical)) {
            throw MailProblem.badAddress();
        }
        return canonical;
    }

    static String domain(String canonical) {
        return canonical.substring(canonical.lastIndexOf('@') + 1);
    }

    private static String asciiDomain(String domain) {
        try {
            return IDN.toASCII(domain).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            throw MailProblem.badAddress();
        }
    }

    private static boolean isRefused(int c) {
        return Character.isISOControl(c) || Character.isWhitespace(c) || SPECIALS.indexOf(c) >= 0;
    }
}
