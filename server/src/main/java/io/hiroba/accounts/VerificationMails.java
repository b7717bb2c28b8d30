package io.hiroba.accounts;

import io.hiroba.platform.mail.NewMail;

/** Composes the mails with codes and security notices. */
final class VerificationMails {

    private VerificationMails() {}

    static NewMail signUp(Email to, VerificationCode code) {
        return withCode(to, "Your code for signing up to Hiroba", "To finish signing up, enter this code:", code);
    }

    static NewMail passwordReset(Email to, VerificationCode code) {
        return withCode(to, "Your code for a new Hiroba password", "To set a new password, enter this code:", code);
    }

    static NewMail emailChange(Email to, VerificationCode code) {
        return withCode(
                to, "Your code for a new e-mail address", "To use this address with Hiroba, enter this code:", code);
    }

    /** Says what the answer to the request does not reveal. */
    static NewMail accountExists(Email to) {
        return new NewMail(to.value(), "You already have a Hiroba account", """
                Somebody, perhaps you, wants to use this e-mail address with Hiroba.

                There is an account with this address already. Sign in with it, or ask for a new password if
                you have forgotten yours. If it was not you, you need not do anything.
                """);
    }

    static NewMail emailChanged(Email former, Email present) {
        return new NewMail(former.value(), "Your Hiroba e-mail address was changed", """
                The address of your Hiroba account is now %s.

                If it was not you, tell an administrator.
                """.formatted(present.masked()));
    }

    static NewMail passwordChanged(Email to) {
        return new NewMail(to.value(), "Your Hiroba password was changed", """
                Your Hiroba account has a new password, set with a code that was mailed to you. All sessions
                and API tokens are ended.

                If it was not you, ask for a new password at once and tell an administrator.
                """);
    }

    private static NewMail withCode(Email to, String subject, String what, VerificationCode code) {
        return new NewMail(to.value(), subject, """
                %s

                    %s

                It works once and expires soon. If you did not ask for it, you need not do anything.
                """.formatted(what, code.digits()));
    }
}
