package io.hiroba.accounts.signin;

import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.UserId;

/** A session that was just begun or switched, with the secret for the browser's cookie, which is told this once. */
public record SignedIn(SessionId session, UserId user, String secret) {

    @Override
    public String toString() {
        return "SignedIn[session=%s, user=%s]".formatted(session, user);
    }
}
