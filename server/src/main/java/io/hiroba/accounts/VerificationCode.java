package io.hiroba.accounts;

import io.hiroba.platform.id.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * A code of six digits. So few can be found from any hash by brute force; hashing them with their id keeps them unreadable in
 * a dump, and the limits on attempts and lifetime do the rest.
 */
record VerificationCode(String digits) {

    private static final SecureRandom RANDOM = new SecureRandom();

    static VerificationCode random() {
        return new VerificationCode("%06d".formatted(RANDOM.nextInt(1_000_000)));
    }

    /** In hex. */
    String hash(CodeId id) {
        return Sha256.hex((id + ":" + digits).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
        return "Code[…]";
    }
}
