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
            var patterns = new TreeMap<>(Messages.in(language).patterns("shell.script."));
            features.forEach(feature -> patterns.putAll(Messages.in(language).patterns(feature + ".script.")));
            var script = "window.hirobaMessages = " + Json.text(patterns) + ";\n";
            assets.add("messages." + language.code() + ".js", script.getBytes(StandardCharsets.UTF_8));
        }
    }
}
