package io.hiroba.accounts;

import io.hiroba.platform.i18n.Text;
import java.net.IDN;
import java.util.Collection;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * An e-mail address in its normal form: lower case, an international domain in its ASCII form, at
 * most {@value #MAX_LENGTH} characters.
 */
public record Email(String value) {

    static final int MAX_LENGTH = 100;

    private static final Pattern LOCAL =
            Pattern.compile("[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*");
    private static final Pattern DOMAIN =
            Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*");

    public Email {
        if (!isNormal(value)) {
            throw AccountsProblem.invalid("email", Text.of("accounts.field.email"));
        }
    }

    /** Parses and normalizes user input; what is not an address is a problem. */
    public static Email parse(String typed) {
        return new Email(normalise(typed.strip()));
    }

    /** The address for people who may not see it, for example {@code a***@e***.org}. */
    public String masked() {
        int at = value.indexOf('@');
        int dot = value.lastIndexOf('.');
        return value.charAt(0) + "***@" + value.charAt(at + 1) + "***" + (dot > at ? value.substring(dot) : "");
    }

    /** Whether its domain is one of these, itself and not one below. */
    boolean isOf(Collection<String> domains) {
        return domains.contains(value.substring(value.indexOf('@') + 1));
    }

    private static String normalise(String typed) {
        int at = typed.lastIndexOf('@');
        if (at < 0 || typed.length() > 4 * MAX_LENGTH) {
            return "";
        }
        try {
            var domain = IDN.toASCII(typed.substring(at + 1), IDN.ALLOW_UNASSIGNED);
            return (typed.substring(0, at) + '@' + domain).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return "";
        }
    }

    private static boolean isNormal(String text) {
        int at = text.indexOf('@');
        return at > 0
                && at <= 64
                && text.length() <= MAX_LENGTH
                && LOCAL.matcher(text).region(0, at).matches()
                && DOMAIN.matcher(text).region(at + 1, text.length()).matches();
    }

    @Override
    public String toString() {
        return value;
    }
}
