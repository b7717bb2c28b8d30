package io.hiroba.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** The texts that lie beside this package. */
final class Resources {

    private Resources() {}

    static String text(String name) {
        try (var stream = Objects.requireNonNull(Resources.class.getResourceAsStream(name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
