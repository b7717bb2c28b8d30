package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import java.util.Collection;
import java.util.HashMap;

/** Checks and mends texts that PostgreSQL has to store as UTF-8. */
final class Utf8 {

    private Utf8() {}

    /** At most {@code most} characters of {@code text}, with characters replaced that PostgreSQL cannot store. */
    static String storable(String text, int most) {
        var some = text.length() <= most ? text : text.substring(0, most - 1) + "…";
        if (isStorable(some)) {
            return some;
        }
        var good = new StringBuilder();
        some.codePoints()
                .map(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? 0xFFFD : c)
                .forEach(good::appendCodePoint);
        return good.toString();
    }

    /** The same for each argument of {@code text}. */
    static Text storable(Text text, int most) {
        var arguments = new HashMap<String, Object>();
        text.arguments().forEach((name, value) -> arguments.put(name, storable(value, most)));
        return new Text(text.key(), arguments);
    }

    private static Object storable(Object argument, int most) {
        return switch (argument) {
            case Text text -> storable(text, most);
            case Number number -> number;
            case Collection<?> items ->
                items.stream().map(item -> storable(item, most)).toList();
            default -> storable(argument.toString(), most);
        };
    }

    /** False if {@code text} contains what PostgreSQL cannot store: a NUL, or half of a surrogate pair. */
    static boolean isStorable(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                return false;
            }
            if (Character.isSurrogate(c)) {
                if (Character.isLowSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
