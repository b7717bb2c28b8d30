package io.hiroba.platform.config;

import java.util.List;

/** A configuration that cannot be used: every mistake in it, a sentence each, meant for the operator. */
public final class ConfigException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> mistakes;

    ConfigException(List<String> mistakes) {
        super(String.join("\n", mistakes), null, false, false);
        this.mistakes = List.copyOf(mistakes);
    }

    public List<String> mistakes() {
        return mistakes;
    }
}
