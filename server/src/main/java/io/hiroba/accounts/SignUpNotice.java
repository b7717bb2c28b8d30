package io.hiroba.accounts;

import io.hiroba.platform.db.Tx;
import io.hiroba.platform.i18n.Text;

/**
 * The notice of what is collected of people and on which terms, which whoever signs up agrees to.
 *
 * @param url empty if the operator has none
 */
record SignUpNotice(String url) {

    /** Refuses a sign-up without consent, where it is asked for. */
    void require(SignUp.Preferences preferences) {
        if (!url.isEmpty() && !preferences.consent()) {
            throw AccountsProblem.invalid("consent", Text.of("accounts.field.consent"));
        }
    }

    /** Keeps what the new account agreed to, in the transaction that creates it. */
    void record(Tx tx, UserId user) {
        if (!url.isEmpty()) {
            new UserStore().insertConsent(tx, user, url);
        }
    }
}
