package io.hiroba.platform.i18n;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A message that is in no language yet: its key and the values of its arguments. A value may be a text itself, a number, a list,
 * which is joined as the language joins lists, or anything else by its {@code toString}.
 */
public record Text(String key, Map<String, Object> arguments) {

    private static final String VERBATIM = "";

    public Text {
        arguments = Map.copyOf(arguments);
    }

    /** The message {@code key} with arguments, each a name and a value. */
    public static Text of(String key, Object... arguments) {
        return new Text(key, named(arguments));
    }

    /** Words that are nobody's to translate, such as those of another program. */
    public static Text verbatim(String words) {
        return new Text(VERBATIM, Map.of(VERBATIM, words));
    }

    public String in(Language language) {
        return key.isEmpty()
                ? String.valueOf(arguments.get(VERBATIM))
                : Messages.in(language).format(key, arguments);
    }

    /** In English, for logs. */
    @Override
    public String toString() {
        return in(Language.ENGLISH);
    }

    static Map<String, Object> named(Object... arguments) {
        if (arguments.length == 0) {
            return Map.of();
        }
        if (arguments.length % 2 != 0) {
            throw new IllegalArgumentException("an argument needs a name and a value");
        }
        var named = new LinkedHashMap<String, Object>();
        for (int i = 0; i < arguments.length; i += 2) {
            named.put((String) arguments[i], arguments[i + 1]);
        }
        return named;
    }
}
