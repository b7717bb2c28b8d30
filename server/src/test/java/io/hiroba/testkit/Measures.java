package io.hiroba.testkit;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What {@code measure.js} says of a page.
 *
 * @param barriers controls in no landmark, called otherwise than they read or too small, and what scrolls without a keyboard
 * @param landmarks where things are
 * @param pale texts of too little contrast
 * @param overlaps texts over others
 * @param outside what reaches out of the window
 */
public record Measures(
        List<String> barriers, List<String> landmarks, List<String> pale, List<String> overlaps, List<String> outside) {

    private static final String SCRIPT = script();

    public static Measures of(Page page) {
        var said = (Map<?, ?>) page.evaluate(SCRIPT);
        return new Measures(
                texts(said, "barriers"),
                texts(said, "landmarks"),
                texts(said, "pale"),
                texts(said, "overlaps"),
                texts(said, "outside"));
    }

    private static List<String> texts(Map<?, ?> said, String key) {
        return ((List<?>) Objects.requireNonNull(said.get(key), key))
                .stream().map(String::valueOf).toList();
    }

    private static String script() {
        try (var stream = Measures.class.getResourceAsStream("/looks/measure.js")) {
            return new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
