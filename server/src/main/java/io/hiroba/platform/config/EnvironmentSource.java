package io.hiroba.platform.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads variables that begin with {@code HIROBA_} into settings. */
final class EnvironmentSource {

    /** Variables that the launcher and the command line client read; the server leaves them alone. */
    static final Set<String> LAUNCHER = Set.of(
            "HIROBA_JAVA_HOME",
            "HIROBA_JVMS",
            "HIROBA_LANGUAGE",
            "HIROBA_NO_AOT",
            "HIROBA_NO_INSTALL",
            "HIROBA_BROWSER",
            "HIROBA_URL",
            "HIROBA_TOKEN",
            "HIROBA_JAVA_OPTS",
            "HIROBA_CONFIG");

    private EnvironmentSource() {}

    static void read(Map<String, String> environment, ConfigKeys keys, Map<String, Setting> into, List<String> errors) {
        for (var variable : new TreeMap<>(environment).entrySet()) {
            var name = variable.getKey();
            if (!name.startsWith("HIROBA_") || LAUNCHER.contains(name)) {
                continue;
            }
            keys.pathOf(name)
                    .ifPresentOrElse(
                            path -> into.put(path, new Setting(path, variable.getValue(), name)),
                            () -> errors.add(unknown(name, keys)));
        }
    }

    private static String unknown(String name, ConfigKeys keys) {
        var known = keys.all().stream().map(ConfigKey::environmentName).toList();
        return "unknown variable `%s` in the environment%s"
                .formatted(
                        name,
                        Nearest.to(name, known)
                                .map(near -> ", did you mean `" + near + "`?")
                                .orElse(""));
    }
}
