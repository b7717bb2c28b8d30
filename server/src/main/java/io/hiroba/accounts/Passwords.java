package io.hiroba.accounts;

import com.password4j.Argon2Function;
import com.password4j.types.Argon2;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Hashes passwords with Argon2id. Each hash takes much memory and time, so a semaphore bounds how many run at once. */
final class Passwords {

    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int MAX_INPUT = 2 * Password.MAX_LENGTH;
    private static final Duration QUEUE_TIMEOUT = Duration.ofSeconds(10);

    private final Argon2Function argon2;
    private final Semaphore permits;
    private final SecureRandom random = new SecureRandom();
    private final PasswordHash decoy;

    Passwords(AccountsConfig.Hashing config) {
        this.argon2 = Argon2Function.getInstance(
                config.memoryKib(), config.iterations(), config.parallelism(), HASH_BYTES, Argon2.ID);
        this.permits = new Semaphore(config.concurrency(), true);
        this.decoy = decoy(config);
    }

    PasswordHash hash(Password password) {
        return hash(password.bytes());
    }

    /** Whether {@code typed} is the password behind {@code stored}, whatever parameters that was hashed with. */
    boolean matches(String typed, PasswordHash stored) {
        if (stored.equals(PasswordHash.NONE)) {
            matchDecoy(typed);
            return false;
        }
        // No password is longer; an empty text takes as long to hash and does not match.
        var text = typed.length() > MAX_INPUT ? "" : typed;
        var encoded = stored.encoded().getBytes(StandardCharsets.UTF_8);
        boolean matches = withPermit(
                () -> Argon2Function.getInstanceFromHash(stored.encoded()).check(Password.bytes(text), encoded));
        return matches && typed.length() <= MAX_INPUT;
    }

    /** Takes as long as {@link #matches}, for an account that does not exist. */
    void matchDecoy(String typed) {
        matches(typed, decoy);
    }

    /** Whether {@code stored} has other parameters than the configured ones. */
    boolean isOutdated(PasswordHash stored) {
        return !Argon2Function.getInstanceFromHash(stored.encoded()).equals(argon2);
    }

    private PasswordHash hash(byte[] password) {
        var salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new PasswordHash(withPermit(() -> argon2.hash(password, salt).getResult()));
    }

    /** The hash of no known password, which was not hashed for it: a start would wait. */
    private PasswordHash decoy(AccountsConfig.Hashing config) {
        return new PasswordHash("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s"
                .formatted(
                        Argon2Function.ARGON2_VERSION_13,
                        config.memoryKib(),
                        config.iterations(),
                        config.parallelism(),
                        randomText(SALT_BYTES),
                        randomText(HASH_BYTES)));
    }

    private String randomText(int size) {
        var bytes = new byte[size];
        random.nextBytes(bytes);
        return Base64.getEncoder().withoutPadding().encodeToString(bytes);
    }

    private <T> T withPermit(Supplier<T> work) {
        try {
            if (!permits.tryAcquire(QUEUE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw AccountsProblem.busy();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw AccountsProblem.busy();
        }
        try {
            return work.get();
        } finally {
            permits.release();
        }
    }
}
