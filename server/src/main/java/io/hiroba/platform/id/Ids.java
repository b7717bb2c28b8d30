package io.hiroba.platform.id;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.time.Instant;
import java.util.HexFormat;

/**
 * The layout of an id: 44 bits of milliseconds since 1970, 8 bits of worker, 12 bits of sequence. Inside it is a
 * {@code long}; outside, always 16 upper-case hex digits, so that the order of the text is the order in time.
 */
public final class Ids {

    static final int SEQUENCE_BITS = 12;
    static final int WORKER_BITS = 8;
    static final int TIME_SHIFT = SEQUENCE_BITS + WORKER_BITS;

    private static final HexFormat HEX = HexFormat.of().withUpperCase();
    private static final int DIGITS = 16;

    private Ids() {}

    public static String hex(long id) {
        return HEX.toHexDigits(id);
    }

    /** Whether a text is a valid id. */
    public static boolean isId(String text) {
        if (text.length() != DIGITS || text.charAt(0) > '7') {
            return false;
        }
        for (int i = 0; i < DIGITS; i++) {
            if (!HexFormat.isHexDigit(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Parses an id in upper or lower case. */
    public static long parse(String text) {
        if (!isId(text)) {
            throw new MalformedId();
        }
        return HexFormat.fromHexDigitsToLong(text);
    }

    /** The time of creation. */
    public static Instant createdAt(long id) {
        return Instant.ofEpochMilli(id >>> TIME_SHIFT);
    }

    /** The smallest id of that moment: the bound for "older than" and "newer than". */
    public static long lowestAt(Instant moment) {
        return moment.toEpochMilli() << TIME_SHIFT;
    }

    private static final class MalformedId extends Problem {
        private static final long serialVersionUID = 1L;

        MalformedId() {
            super(Kind.INVALID, "id.malformed", Text.of("id.problem.malformed", "example", "198C2E846EE00000"));
        }
    }
}
