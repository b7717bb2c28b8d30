package io.hiroba.platform.http;

/** Searches JSON for characters that PostgreSQL's text cannot store. */
final class JsonEscapes {

    private JsonEscapes() {}

    /** Whether a NUL or half of a surrogate pair is written in {@code json}, escaped or as it is. */
    static boolean hasUnstorable(String json) {
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c == 0) {
                return true;
            }
            if (c != '\\') {
                continue;
            }
            int unit = unit(json, i);
            if (unit == 0 || (unit >= 0 && Character.isLowSurrogate((char) unit))) {
                return true;
            }
            if (unit >= 0 && Character.isHighSurrogate((char) unit)) {
                int next = unit(json, i + 6);
                if (next < 0 || !Character.isLowSurrogate((char) next)) {
                    return true;
                }
                i += 11;
            } else {
                i += unit >= 0 ? 5 : 1;
            }
        }
        return false;
    }

    /** The UTF-16 unit that an escape at {@code at} writes, or -1 if there is none. */
    private static int unit(String json, int at) {
        if (at + 6 > json.length() || json.charAt(at) != '\\' || json.charAt(at + 1) != 'u') {
            return -1;
        }
        int unit = 0;
        for (int i = at + 2; i < at + 6; i++) {
            int digit = Character.digit(json.charAt(i), 16);
            if (digit < 0) {
                return -1;
            }
            unit = unit << 4 | digit;
        }
        return unit;
    }
}
