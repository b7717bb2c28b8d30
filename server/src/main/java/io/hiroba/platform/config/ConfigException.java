package io.hiroba.platform.config;

import java.util.List;

/** Thrown for an invalid configuration, with a sentence for the operator for each error. */
public final class ConfigException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> errors;

    ConfigException(List<String> errors) {
        super(String.join("\n", errors), null, false, false);
        this.errors = List.copyOf(errors);
    }

    public List<String> errors() {
        return errors;
    }
}
