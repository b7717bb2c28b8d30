package io.hiroba.platform.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads {@code hiroba.yaml} into settings; {@code a: {b: c}} and {@code a.b: c} mean the same. */
final class YamlSource {

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();

    private final String origin;
    private final List<String> errors;
    private final Map<String, Setting> into;

    private YamlSource(String origin, List<String> errors, Map<String, Setting> into) {
        this.origin = origin;
        this.errors = errors;
        this.into = into;
    }

    static void read(Path file, Map<String, Setting> into, List<String> errors) {
        var origin = String.valueOf(file.getFileName());
        try {
            var tree = YAML.readTree(Files.readString(file));
            if (tree.isObject()) {
                new YamlSource(origin, errors, into).flatten("", tree);
            } else if (!tree.isNull() && !tree.isMissingNode()) {
                errors.add(origin + " must hold keys and values");
            }
        } catch (IOException e) {
            errors.add("cannot read %s: %s".formatted(file, e.getMessage()));
        } catch (JacksonException e) {
            errors.add("%s is not valid YAML at line %d: %s"
                    .formatted(
                            origin,
                            e.getLocation().getLineNr(),
                            e.getOriginalMessage().lines().findFirst().orElse("")));
        }
    }

    private void flatten(String prefix, JsonNode node) {
        for (var entry : node.properties()) {
            var path = prefix + entry.getKey();
            var value = entry.getValue();
            if (value.isObject()) {
                flatten(path + ".", value);
            } else if (value.isArray() && value.valueStream().anyMatch(JsonNode::isContainer)) {
                errors.add("`%s` in %s must be a list of plain values".formatted(path, origin));
            } else if (value.isArray()) {
                var items = value.valueStream().map(JsonNode::asString).collect(Collectors.joining(","));
                into.put(path, new Setting(path, items, origin));
            } else if (!value.isNull()) {
                into.put(path, new Setting(path, value.asString(), origin));
            }
        }
    }
}
