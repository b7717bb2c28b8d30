package io.hiroba.accounts.pages;

import io.hiroba.platform.i18n.Text;
import java.util.List;
import java.util.Optional;

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

    static Text name(String agent) {
        var browser = first(BROWSERS, agent).orElseGet(() -> Text.of("accounts.device-program"));
        return first(SYSTEMS, agent)
                .map(system -> Text.of("accounts.device", "browser", browser, "system", system))
                .orElse(browser);
    }

    private static Optional<Text> first(List<String[]> names, String agent) {
        return names.stream()
                .filter(name -> agent.contains(name[0]))
                .map(name -> Text.verbatim(name[1]))
                .findFirst();
    }
}
