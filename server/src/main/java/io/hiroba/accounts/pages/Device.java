package io.hiroba.accounts.pages;

import java.util.List;
import java.util.function.Predicate;

/** Names a browser and its system by the User-Agent. */
final class Device {

    // Every browser claims to be those below it as well.
    private static final List<String[]> BROWSERS = List.of(
            new String[] {"Edg/", "Edge"},
            new String[] {"OPR/", "Opera"},
            new String[] {"Firefox/", "Firefox"},
            new String[] {"Chrome/", "Chrome"},
            new String[] {"Safari/", "Safari"},
            new String[] {"curl/", "curl"});
    private static final List<String[]> SYSTEMS = List.of(
            new String[] {"iPhone", "iPhone"},
            new String[] {"iPad", "iPad"},
            new String[] {"Android", "Android"},
            new String[] {"Windows", "Windows"},
            new String[] {"Mac OS X", "Mac"},
            new String[] {"Linux", "Linux"});

    private Device() {}

    static String name(String agent) {
        var browser = first(BROWSERS, agent::contains, "A program");
        var system = first(SYSTEMS, agent::contains, "");
        return system.isEmpty() ? browser : browser + " on " + system;
    }

    private static String first(List<String[]> names, Predicate<String> matches, String otherwise) {
        return names.stream()
                .filter(name -> matches.test(name[0]))
                .map(name -> name[1])
                .findFirst()
                .orElse(otherwise);
    }
}
