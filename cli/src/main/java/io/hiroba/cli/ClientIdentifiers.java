package io.hiroba.cli;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Makes identifiers of generated code from names in any script: letters, digits and {@code _} stay, other signs become {@code _}. No two
 * are alike, not even where capitals do not matter, as in names of files, and none is a word that has a meaning already.
 */
final class ClientIdentifiers {

    /** Identifiers become names of files, two of which may be in one. */
    private static final int MAX_BYTES = 80;

    private final Set<String> taken = new HashSet<>();

    ClientIdentifiers(List<String> words) {
        words.forEach(word -> taken.add(folded(word)));
    }

    /** The identifiers of variables, methods or constants, by their names. Those that are identifiers already stay as they are. */
    Map<String, String> members(List<String> names) {
        var members = new HashMap<String, String>();
        for (var name : names) {
            if (made(name).equals(name) && cut(name).equals(name) && taken.add(folded(name))) {
                members.put(name, name);
            }
        }
        names.forEach(name -> members.computeIfAbsent(name, each -> free(cut(made(each)))));
        return members;
    }

    /** The identifier of a type: with a capital, where the script has such. */
    String type(String... names) {
        var joined = new StringBuilder();
        for (var name : names) {
            for (var part : made(name).split("_", -1)) {
                if (!part.isEmpty()) {
                    joined.appendCodePoint(Character.toUpperCase(part.codePointAt(0)))
                            .append(part.substring(part.offsetByCodePoints(0, 1)));
                }
            }
        }
        return free(cut(made(joined.toString())));
    }

    private String free(String wanted) {
        var free = wanted;
        for (int i = 2; !taken.add(folded(free)); i++) {
            free = wanted + "_" + i;
        }
        return free;
    }

    private static String folded(String identifier) {
        return identifier.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT);
    }

    private static String made(String name) {
        var made = new StringBuilder();
        // Several signs become one, and none at the end.
        boolean foreign = false;
        for (int c : name.codePoints().toArray()) {
            if (isPart(c)) {
                made.append(foreign ? "_" : "").appendCodePoint(c);
            }
            foreign = !isPart(c);
        }
        if (made.isEmpty()) {
            return "_";
        }
        return Character.isLetter(made.codePointAt(0)) || made.charAt(0) == '_' ? made.toString() : "_" + made;
    }

    /** A part of an identifier in each language; signs that combine with others are left out, since they may look like none. */
    private static boolean isPart(int c) {
        return c == '_' || Character.isLetter(c) || Character.getType(c) == Character.DECIMAL_DIGIT_NUMBER;
    }

    private static String cut(String identifier) {
        var cut = identifier;
        while (cut.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
            cut = cut.substring(0, cut.offsetByCodePoints(cut.length(), -1));
        }
        return cut;
    }
}
