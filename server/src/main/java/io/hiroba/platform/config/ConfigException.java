package io.hiroba.platform.config;

import java.util.List;

/** Thrown for a configuration that cannot be used: every error in it, a sentence each, meant for the operator. */
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
