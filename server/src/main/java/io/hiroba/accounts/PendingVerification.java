package io.hiroba.accounts;

import java.util.Optional;

/**
 * A verification that waits for its code.
 *
 * @param email the address that the code was sent to
 * @param user the account of it; none when signing up, or when the address is unknown
 */
record PendingVerification(CodeId id, CodePurpose purpose, Email email, Optional<UserId> user) {

    /** The single purpose of a code. */
    enum CodePurpose {
        SIGN_UP("sign-up"),
        PASSWORD_RESET("password-reset"),
        EMAIL_CHANGE("email-change");

        private final String code;

        CodePurpose(String code) {
            this.code = code;
        }

        String code() {
            return code;
        }
    }
}
