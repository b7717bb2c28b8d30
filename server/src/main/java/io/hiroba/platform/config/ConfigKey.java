package io.hiroba.platform.config;

import java.lang.reflect.Type;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A leaf of the configuration tree.
 *
 * @param path the key, for example {@code database.pool-size}; {@code <name>} stands for a name the operator chooses
 * @param fallback the value when nothing sets the key; none if the key is required
 */
record ConfigKey(String path, Type type, Optional<String> fallback, boolean secret, String meaning) {

    static final String NAME = "<name>";
    private static final String PREFIX = "HIROBA_";
    private static final Pattern HUMP = Pattern.compile("([a-z0-9])([A-Z])");

    String environmentName() {
        return environmentName(path);
    }

    static String environmentName(String path) {
        return PREFIX + path.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** {@code poolSize} becomes {@code pool-size}. */
    static String kebab(String component) {
        return HUMP.matcher(component).replaceAll("$1-$2").toLowerCase(Locale.ROOT);
    }

    /** Whether the operator chooses a part of the path. */
    boolean hasChosenPart() {
        return path.contains(NAME);
    }

    /** Whether {@code candidate} is the path, or one that the operator has chosen a part of. */
    boolean matches(String candidate) {
        if (!hasChosenPart()) {
            return path.equals(candidate);
        }
        var ours = path.split("\\.", -1);
        var theirs = candidate.split("\\.", -1);
        if (ours.length != theirs.length) {
            return false;
        }
        for (int i = 0; i < ours.length; i++) {
            if (!(ours[i].equals(NAME) ? !theirs[i].isEmpty() : ours[i].equals(theirs[i]))) {
                return false;
            }
        }
        return true;
    }

    /** The path that the environment variable {@code variable} means, if it means this key. */
    Optional<String> pathOf(String variable) {
        int at = path.indexOf(NAME);
        if (at < 0) {
            return variable.equals(environmentName()) ? Optional.of(path) : Optional.empty();
        }
        var before = environmentName(path.substring(0, at));
        var after = environmentName(path.substring(at + NAME.length())).substring(PREFIX.length());
        if (!variable.startsWith(before)
                || !variable.endsWith(after)
                || variable.length() <= before.length() + after.length()) {
            return Optional.empty();
        }
        var name = variable.substring(before.length(), variable.length() - after.length());
        return Optional.of(path.replace(NAME, name.toLowerCase(Locale.ROOT).replace('_', '-')));
    }

    String typeName() {
        return ConfigValues.typeName(type);
    }
}
