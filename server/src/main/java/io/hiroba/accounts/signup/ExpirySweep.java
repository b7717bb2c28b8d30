package io.hiroba.accounts.signup;

import io.hiroba.accounts.signin.Sessions;
import io.hiroba.accounts.signin.Tokens;
import io.hiroba.platform.task.WorkLoop;
import java.time.Duration;

/** Removes sessions, tokens and codes that have run out, now and then; they open nothing already. */
public final class ExpirySweep implements AutoCloseable {

    private final WorkLoop background;

    public ExpirySweep(Sessions sessions, Tokens tokens, Codes codes) {
        background = WorkLoop.every(Duration.ofMinutes(10), "expired sessions, tokens and codes", () -> {
            sessions.sweep();
            tokens.sweep();
            codes.sweep();
        });
    }

    @Override
    public void close() {
        background.close();
    }
}
