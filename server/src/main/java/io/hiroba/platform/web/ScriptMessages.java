package io.hiroba.platform.web;

import io.hiroba.platform.http.Assets;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Messages;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeMap;

/** The messages that scripts show: those with {@code script} after the feature, in one file a language that pages load. */
public final class ScriptMessages {

    private ScriptMessages() {}

    /** Adds {@code messages.en.js} and its like, with the messages of the shell and of these features. */
    public static void addTo(Assets assets, List<String> features) {
        for (var language : Language.values()) {
            assets.add("messages." + language.code() + ".js", () -> script(language, features));
        }
    }

    private static byte[] script(Language language, List<String> features) {
        var patterns = new TreeMap<>(Messages.in(language).patterns("shell.script."));
        features.forEach(feature -> patterns.putAll(Messages.in(language).patterns(feature + ".script.")));
        return ("window.hirobaMessages = " + Json.text(patterns) + ";\n").getBytes(StandardCharsets.UTF_8);
    }
}
