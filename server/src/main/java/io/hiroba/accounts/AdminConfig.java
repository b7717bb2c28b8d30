package io.hiroba.accounts;

import io.hiroba.platform.config.Default;
import io.hiroba.platform.config.Doc;
import io.hiroba.platform.config.Secret;

/** The configuration of the first admin, who is created only where there is no admin at all. */
public record AdminConfig(
        @Default("")
        @Doc("The e-mail address of the admin that is made where there is none. Empty means admin@hiroba.local.")
        String email,

        @Default("") @Secret @Doc("That admin's first password. Empty means a generated one, printed once.")
        String password) {

    public AdminConfig {
        try {
            if (!email.isEmpty()) {
                Email.parse(email);
            }
            if (!password.isEmpty()) {
                new Password(password);
            }
        } catch (AccountsProblem e) {
            throw new IllegalArgumentException(
                    e.fields().getFirst().field() + " " + e.fields().getFirst().message());
        }
    }

    @Override
    public String toString() {
        return "AdminConfig[email=" + email + "]";
    }
}
