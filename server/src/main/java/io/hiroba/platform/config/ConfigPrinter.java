package io.hiroba.platform.config;

import java.lang.reflect.ParameterizedType;
import java.util.List;
import java.util.Map;

/** Writes settings as a {@code hiroba.yaml} of the same configuration, with secrets masked. */
final class ConfigPrinter {

    private final ConfigKeys keys;
    private final Map<String, Setting> settings;
    private final StringBuilder yaml = new StringBuilder();
    private List<String> open = List.of();

    ConfigPrinter(ConfigKeys keys, Map<String, Setting> settings) {
        this.keys = keys;
        this.settings = settings;
    }

    String print() {
        for (var key : keys.all()) {
            settings.values().stream()
                    .filter(setting -> key.matches(setting.path()))
                    .sorted((a, b) -> a.path().compareTo(b.path()))
                    .forEach(setting -> line(key, setting));
        }
        return yaml.toString();
    }

    private void line(ConfigKey key, Setting setting) {
        var parts = List.of(setting.path().split("\\.", -1));
        var parents = parts.subList(0, parts.size() - 1);
        int shared = 0;
        while (shared < Math.min(open.size(), parents.size())
                && open.get(shared).equals(parents.get(shared))) {
            shared++;
        }
        for (int i = shared; i < parents.size(); i++) {
            yaml.append("  ".repeat(i)).append(parents.get(i)).append(":\n");
        }
        open = parents;
        yaml.append("  ".repeat(parents.size()))
                .append(parts.getLast())
                .append(": ")
                .append(shown(key, setting.text()))
                .append("  # ")
                .append(setting.origin())
                .append('\n');
    }

    private static String shown(ConfigKey key, String text) {
        if (key.secret()) {
            return text.isEmpty() ? "\"\"" : EffectiveSetting.MASK;
        }
        if (key.type() instanceof ParameterizedType) {
            var items = (List<?>) ConfigValues.parse(key.type(), text);
            return items.stream().map(item -> quoted((String) item)).toList().toString();
        }
        return key.type() == String.class ? quoted(text) : text;
    }

    private static String quoted(String text) {
        return text.matches("[A-Za-z][A-Za-z0-9._/-]*")
                ? text
                : "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }
}
