package io.hiroba.accounts;

/** An encoded password hash: algorithm, parameters, salt and hash. */
public record PasswordHash(String encoded) {

    /** The mark of an account without a password, which nothing matches. */
    static final PasswordHash NONE = new PasswordHash("");

    @Override
    public String toString() {
        return "PasswordHash[…]";
    }
}
