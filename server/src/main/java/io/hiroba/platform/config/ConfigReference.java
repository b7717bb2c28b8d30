package io.hiroba.platform.config;

import java.util.LinkedHashMap;
import java.util.stream.Collectors;

/** Writes the reference of every key, for people, from the records themselves. */
final class ConfigReference {

    private ConfigReference() {}

    public static String of(Class<? extends Record> root) {
        var groups = new LinkedHashMap<String, StringBuilder>();
        for (var key : ConfigKeys.of(root).all()) {
            int dot = key.path().indexOf('.');
            groups.computeIfAbsent(dot < 0 ? "" : key.path().substring(0, dot), group -> new StringBuilder())
                    .append(row(key));
        }
        var launcher = EnvironmentSource.LAUNCHER.stream()
                .sorted()
                .map(name -> "`" + name + "`")
                .collect(Collectors.joining(", "));
        var page = new StringBuilder("""
                # Configuration

                Sources, each overriding the one before: defaults, `hiroba.yaml`, environment variables, flags
                (`--http.port=8081` or `--http.port 8081`). An unknown key in any of them stops the start.
                `./hiroba config` prints what is in effect and where each value came from.

                Durations are written `250ms`, `30s`, `15m`, `12h`, `90d`; sizes `512B`, `64KB`, `10MB`, `2GB`; lists in
                variables and flags with commas. `<name>` stands for a name you choose.

                The variables %s belong to the launcher and the command line client.
                """.formatted(launcher));
        groups.forEach((group, rows) -> page.append("\n## ")
                .append(group.isEmpty() ? "General" : "`" + group + "`")
                .append("\n\n| key | type | default | variable | meaning |\n|---|---|---|---|---|\n")
                .append(rows));
        return page.toString();
    }

    private static String row(ConfigKey key) {
        return "| `%s` | %s | %s | `%s` | %s%s |\n"
                .formatted(
                        key.path(),
                        key.typeName(),
                        key.fallback()
                                .map(text -> text.isEmpty() ? "empty" : "`" + text + "`")
                                .orElse("required"),
                        key.environmentName(),
                        key.meaning(),
                        key.secret() ? " (secret)" : "");
    }
}
