package io.hiroba.accounts;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.i18n.Text;
import java.net.IDN;
import java.util.List;
import java.util.Locale;

/** The configuration of who can sign up. */
public record SignUpRules(
        @Default("open")
        @Doc(
                "Who can sign up: everybody, only people who were invited, people with an address of one of the domains or who were"
                        + " invited, or nobody. An admin can create accounts in any case.")
        SignUpMode mode,

        @Default("") @Doc("The domains of addresses that can sign up in the mode domain, such as example.org.")
        List<String> domains,

        @Default("false") @Doc("Whether everybody with an account can invite others; otherwise only an admin can.")
        boolean memberInvitations) {

    /** Everybody, the default. */
    public static final SignUpRules OPEN = new SignUpRules(SignUpMode.OPEN, List.of(), false);

    /** The ways in which sign-up is limited. */
    public enum SignUpMode {
        OPEN,
        INVITATION,
        DOMAIN,
        CLOSED;

        /** The name in the configuration and in JSON. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public SignUpRules {
        domains = domains(domains);
        if (mode == SignUpMode.DOMAIN && domains.isEmpty()) {
            throw new IllegalArgumentException("domains must name one at least where the mode is domain");
        }
    }

    /** The domains in their ASCII form. */
    static List<String> domains(List<String> typed) {
        return typed.stream()
                .map(domain -> {
                    var ascii = IDN.toASCII(domain, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
                    if (!ascii.matches("[a-z0-9-]+(\\.[a-z0-9-]+)*")) {
                        throw new IllegalArgumentException("domains must be like example.org, not " + domain);
                    }
                    return ascii;
                })
                .toList();
    }

    /** Whether people can sign up who were not invited, with some address at least. */
    public boolean isOffered() {
        return mode == SignUpMode.OPEN || mode == SignUpMode.DOMAIN;
    }

    /** Refuses an address without an invitation, whether or not it has an account. */
    void require(Email email) {
        switch (mode) {
            case OPEN -> {}
            case DOMAIN -> {
                if (!email.isOf(domains)) {
                    throw AccountsProblem.invalid(
                            "email", Text.of("accounts.field.email-domain", "domains", String.join(", ", domains)));
                }
            }
            case INVITATION -> throw AccountsProblem.invitationRequired();
            case CLOSED -> throw AccountsProblem.signUpClosed();
        }
    }
}
