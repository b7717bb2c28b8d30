package io.hiroba.accounts;

/** What is stored of a password: algorithm, parameters, salt and hash in one text. */
public record PasswordHash(String encoded) {

    @Override
    public String toString() {
        return "PasswordHash[…]";
    }
}
