package io.hiroba.platform.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Reads {@code hiroba.yaml} into settings; {@code a: {b: c}} and {@code a.b: c} mean the same. */
final class YamlSource {

    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
            .build();

    private static final Pattern DUPLICATE = Pattern.compile("\"(.+?)\"");

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
        var text = "";
        try {
            text = Files.readString(file);
            var tree = YAML.readTree(text);
            if (tree.isObject()) {
                new YamlSource(origin, errors, into).flatten("", tree);
            } else if (!tree.isNull() && !tree.isMissingNode()) {
                errors.add(origin + " must hold keys and values");
            }
        } catch (IOException e) {
            errors.add("cannot read %s: %s".formatted(file, e.getMessage()));
        } catch (JacksonException e) {
            errors.add(mistake(origin, text.lines().toList(), e));
        }
    }

    private static String mistake(String origin, List<String> lines, JacksonException failure) {
        int number = failure.getLocation().getLineNr();
        var message = failure.getOriginalMessage().lines().findFirst().orElse("");
        var twice = DUPLICATE.matcher(message);
        if (failure instanceof MismatchedInputException && twice.find()) {
            var key = Pattern.compile("(^|[^\\w.-])%s[\"']?\\s*:".formatted(Pattern.quote(twice.group(1))));
            // The parser may have read the value after the key, which can be on a later line.
            int again = Math.min(number, lines.size());
            while (again > 0 && !key.matcher(lines.get(again - 1)).find()) {
                again--;
            }
            return "`%s` is there twice in %s, again at line %d: remove one"
                    .formatted(twice.group(1), origin, again > 0 ? again : number);
        }
        for (int line = 1; line <= lines.size(); line++) {
            if (lines.get(line - 1).matches(" *\t.*")) {
                return "%s has a tab at the start of line %d: tabs cannot indent, use spaces".formatted(origin, line);
            }
        }
        return "%s is not valid YAML at line %d: %s".formatted(origin, number, message);
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
