package io.hiroba.platform.id;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

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
    private static final String EXAMPLE = "198C2E846EE00000";
    private static final String UUID_EXAMPLE = "0198c2e8-46ee-7000-8000-000000000000";

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

    /** The problem of a parameter or field that is no id. */
    public static Problem malformed(String field) {
        return new MalformedId(field, Text.of("id.field.malformed", "example", EXAMPLE));
    }

    /** The problem of a parameter or field that is no UUID. */
    public static Problem malformedUuid(String field) {
        return new MalformedId(field, Text.of("id.field.malformed-uuid", "example", UUID_EXAMPLE));
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
        private static final String CODE = "id.malformed";

        MalformedId() {
            super(Kind.INVALID, CODE, Text.of("id.problem.malformed", "example", EXAMPLE));
        }

        MalformedId(String field, Text message) {
            super(Kind.INVALID, CODE, ofField(field, message), List.of(new FieldError(field, message)));
        }
    }
}
