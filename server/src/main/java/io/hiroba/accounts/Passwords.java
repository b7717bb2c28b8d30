package io.hiroba.accounts;

import com.password4j.Argon2Function;
import com.password4j.types.Argon2;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Hashes passwords with Argon2id. Each hash takes memory and time on purpose, so only so many run at once; the others
 * wait for their turn, and not for ever.
 */
public final class Passwords {

    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int MAX_TYPED = 2 * Password.MAX_LENGTH;
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Argon2Function argon2;
    private final Semaphore turns;
    private final SecureRandom random = new SecureRandom();
    private final PasswordHash decoy;

    public Passwords(AccountsConfig.Hashing config) {
        this.argon2 = Argon2Function.getInstance(
                config.memoryKib(), config.iterations(), config.parallelism(), HASH_BYTES, Argon2.ID);
        this.turns = new Semaphore(config.concurrency(), true);
        var nobodys = new byte[SALT_BYTES];
        random.nextBytes(nobodys);
        this.decoy = hash(nobodys);
    }

    public PasswordHash hash(Password password) {
        return hash(password.bytes());
    }

    /** Whether {@code typed} is the password behind {@code stored}, whatever parameters that was hashed with. */
    public boolean matches(String typed, PasswordHash stored) {
        // No password is longer, so a longer text needs no hashing to be wrong; whose it is not shows nothing.
        var text = typed.length() > MAX_TYPED ? "" : typed;
        var encoded = stored.encoded().getBytes(StandardCharsets.UTF_8);
        boolean matches = inTurn(
                () -> Argon2Function.getInstanceFromHash(stored.encoded()).check(Password.bytes(text), encoded));
        return matches && typed.length() <= MAX_TYPED;
    }

    /** Does the work of {@link #matches} for an account that does not exist. */
    public void matchNobody(String typed) {
        matches(typed, decoy);
    }

    /** Whether {@code stored} was made with other parameters than today's. */
    public boolean isOutdated(PasswordHash stored) {
        return !Argon2Function.getInstanceFromHash(stored.encoded()).equals(argon2);
    }

    private PasswordHash hash(byte[] password) {
        var salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new PasswordHash(inTurn(() -> argon2.hash(password, salt).getResult()));
    }

    private <T> T inTurn(Supplier<T> work) {
        try {
            if (!turns.tryAcquire(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                throw AccountsProblem.busy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AccountsProblem.busy();
        }
        try {
            return work.get();
        } finally {
            turns.release();
        }
    }
}
