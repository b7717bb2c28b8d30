package io.hiroba.saga.workflow;

import io.hiroba.platform.problem.Problem;
import java.util.Locale;
import java.util.Optional;

/** The format of a workflow's text. */
public enum WorkflowFormat {
    YAML,
    JSON;

    /** The name in the database and in the API. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    static WorkflowFormat ofCode(String code) {
        return valueOf(code.toUpperCase(Locale.ROOT));
    }

    /**
     * Detects the format. Curly brackets begin JSON as well as YAML, so the text is parsed; a text that is neither counts as
     * JSON if it begins like it.
     */
    public static WorkflowFormat ofText(String text) {
        if (!text.stripLeading().startsWith("{")) {
            return YAML;
        }
        return canRead(text, JSON) || !canRead(text, YAML) ? JSON : YAML;
    }

    private static boolean canRead(String text, WorkflowFormat format) {
        try {
            return WorkflowReader.parse(text, format, new ValidationErrors()) instanceof SourceNode.Fields;
        } catch (Problem e) {
            return false;
        }
    }

    /** By the content type of a request, whatever its parameters. */
    public static Optional<WorkflowFormat> ofMediaType(String contentType) {
        return switch (contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT)) {
            case "application/yaml", "text/yaml", "application/x-yaml" -> Optional.of(YAML);
            case "application/json" -> Optional.of(JSON);
            default -> Optional.empty();
        };
    }

    static Optional<WorkflowFormat> ofFile(String name) {
        if (name.endsWith(".yaml") || name.endsWith(".yml")) {
            return Optional.of(YAML);
        }
        return name.endsWith(".json") ? Optional.of(JSON) : Optional.empty();
    }
}
