package io.hiroba.accounts;

/** An encoded password hash: algorithm, parameters, salt and hash. */
public record PasswordHash(String encoded) {

    @Override
    public String toString() {
        return "PasswordHash[…]";
    }
}
