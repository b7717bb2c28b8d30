package io.hiroba.accounts;

import io.hiroba.platform.i18n.Text;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;

/**
 * A password as it was typed: {@value #MIN_LENGTH} to {@value #MAX_LENGTH} characters of any kind. The length is
 * counted as typed; what is hashed is the compatibility form (NFKC), since another keyboard may compose the same
 * characters otherwise.
 */
public record Password(String typed) {

    static final int MIN_LENGTH = 8;
    static final int MAX_LENGTH = 200;

    /** The resistance of a password to guessing. */
    public enum Level {
        REFUSED(0),
        FAIR(1),
        GOOD(2),
        STRONG(3);

        private final int bars;

        Level(int bars) {
            this.bars = bars;
        }

        /** From 0 to 3, for a meter. */
        public int bars() {
            return bars;
        }
    }

    /** The level of a password and what to say about it. */
    public record Rating(Level level, Text text) {}

    public Password {
        int length = typed.length() > 2 * MAX_LENGTH ? typed.length() : typed.codePointCount(0, typed.length());
        if (length < MIN_LENGTH || length > MAX_LENGTH) {
            throw AccountsProblem.invalid("password", lengthText(MIN_LENGTH));
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(typed)) {
            throw AccountsProblem.invalid("password", Text.of("accounts.field.half-character"));
        }
    }

    /** The sentence about the length, where {@code min} characters are asked for. */
    static Text lengthText(int min) {
        return Text.of("accounts.field.password", "min", min, "max", MAX_LENGTH);
    }

    byte[] bytes() {
        return bytes(typed);
    }

    /** The bytes to hash of any text, even one that is no valid password. */
    static byte[] bytes(String text) {
        return Normalizer.normalize(text, Normalizer.Form.NFKC).getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "Password[…]";
    }
}
