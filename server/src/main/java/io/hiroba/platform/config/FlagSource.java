package io.hiroba.platform.config;

import java.util.List;
import java.util.Map;

/** Reads {@code --a.b=c} and {@code --a.b c} into settings; a boolean flag needs no value. */
final class FlagSource {

    private FlagSource() {}

    static void read(
            List<String> arguments,
            Map<String, String> aliases,
            ConfigKeys keys,
            Map<String, Setting> into,
            List<String> errors) {
        for (int i = 0; i < arguments.size(); i++) {
            var argument = arguments.get(i);
            if (!argument.startsWith("--") || argument.length() == 2) {
                errors.add("unexpected argument `%s`: settings are written --key=value".formatted(argument));
                continue;
            }
            int equals = argument.indexOf('=');
            var flag = equals < 0 ? argument : argument.substring(0, equals);
            var name = flag.substring(2);
            var path = aliases.getOrDefault(name, name);
            boolean valueFollows =
                    i + 1 < arguments.size() && !arguments.get(i + 1).startsWith("--");
            if (equals >= 0) {
                into.put(path, new Setting(path, argument.substring(equals + 1), flag));
            } else if (isSwitch(keys, path) && !(valueFollows && isTruth(arguments.get(i + 1)))) {
                into.put(path, new Setting(path, "true", flag));
            } else if (valueFollows) {
                into.put(path, new Setting(path, arguments.get(++i), flag));
            } else {
                errors.add("`%s` needs a value".formatted(flag));
            }
        }
    }

    private static boolean isSwitch(ConfigKeys keys, String path) {
        return keys.find(path).map(key -> key.type() == boolean.class).orElse(false);
    }

    private static boolean isTruth(String text) {
        return text.equals("true") || text.equals("false");
    }
}
