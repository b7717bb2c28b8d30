package io.hiroba.accounts.signin;

/** A token that was just made, with its secret, which is told this once. */
public record IssuedToken(Token token, String secret) {

    @Override
    public String toString() {
        return "IssuedToken[" + token + "]";
    }
}
