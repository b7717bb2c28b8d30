package io.hiroba.accounts;

import java.util.UUID;

/** The id of a verification code. It is random, so that nobody can use up the attempts of somebody else. */
public record CodeId(UUID value) {

    static CodeId random() {
        return new CodeId(UUID.randomUUID());
    }

    public static CodeId parse(String text) {
        try {
            if (text.length() == 36) {
                return new CodeId(UUID.fromString(text));
            }
        } catch (IllegalArgumentException e) {
            // Answered below, as an id of the wrong length is.
        }
        throw AccountsProblem.codeExpired();
    }

    @Override
    public String toString() {
        return value.toString();
    }
}
