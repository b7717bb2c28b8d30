package io.hiroba.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Reads the text resources of this package. */
final class DemoResources {

    private DemoResources() {}

    static String text(String name) {
        try (var stream = Objects.requireNonNull(DemoResources.class.getResourceAsStream(name), name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
