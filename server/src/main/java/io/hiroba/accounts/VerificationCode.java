package io.hiroba.accounts;

import io.hiroba.platform.id.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A code of six digits. So few can be found from any hash by brute force; hashing them with their id keeps them unreadable in
 * a dump, and the limits on attempts and lifetime do the rest.
 */
record VerificationCode(String digits) {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Pattern DIGITS = Pattern.compile("[0-9]{6}");
    private static final int MAX_TYPED = 100;

    static VerificationCode random() {
        return new VerificationCode("%06d".formatted(RANDOM.nextInt(1_000_000)));
    }

    /** Reads what was typed or pasted, also in full-width digits and with spaces; empty if it is no code at all. */
    static Optional<VerificationCode> parse(String typed) {
        return typed.length() > MAX_TYPED
                ? Optional.empty()
                : Optional.of(RecoveryCode.normalized(typed))
                        .filter(digits -> DIGITS.matcher(digits).matches())
                        .map(VerificationCode::new);
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
