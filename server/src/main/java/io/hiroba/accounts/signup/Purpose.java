package io.hiroba.accounts.signup;

/** What a code is good for, and nothing else. */
enum Purpose {
    SIGN_UP("sign-up"),
    PASSWORD_RESET("password-reset"),
    EMAIL_CHANGE("email-change");

    private final String code;

    Purpose(String code) {
        this.code = code;
    }

    String code() {
        return code;
    }
}
