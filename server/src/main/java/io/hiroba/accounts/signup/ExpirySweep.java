package io.hiroba.accounts.signup;

import io.hiroba.accounts.signin.Sessions;
import io.hiroba.platform.task.Background;
import java.time.Duration;

/** Removes sessions and codes that have run out, now and then; they open nothing already. */
public final class ExpirySweep implements AutoCloseable {

    private final Background background;

    public ExpirySweep(Sessions sessions, Codes codes) {
        background = Background.every(Duration.ofMinutes(10), "expired sessions and codes", () -> {
            sessions.sweep();
            codes.sweep();
        });
    }

    @Override
    public void close() {
        background.close();
    }
}
