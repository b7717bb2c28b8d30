package io.hiroba.cli;

import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.PropertyResourceBundle;
import java.util.ResourceBundle;
import java.util.function.Function;

/** A language that the client speaks. */
enum CliLanguage {
    ENGLISH("en", "en"),
    JAPANESE("ja", "ja"),
    CHINESE("zh", "zh-CN");

    /** The first of these that is set decides, as in other programs; the launcher sets its own for the client. */
    private static final List<String> VARIABLES = List.of("HIROBA_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG");

    private final String code;
    private final String tag;

    CliLanguage(String code, String tag) {
        this.code = code;
        this.tag = tag;
    }

    /** The language of a shell with these variables. The JVM's locale does not tell where the system lacks it. */
    static CliLanguage of(Function<String, Optional<String>> variable) {
        var locale = VARIABLES.stream()
                .flatMap(name -> variable.apply(name).stream())
                .findFirst()
                .orElse("")
                .toLowerCase(Locale.ROOT);
        return Arrays.stream(values())
                .filter(each -> locale.startsWith(each.code))
                .findFirst()
                .orElse(ENGLISH);
    }

    /** The language tag for {@code Accept-Language}. */
    String tag() {
        return tag;
    }

    /** The texts of this language in the files of this name. */
    ResourceBundle texts(String name) {
        var file = "%s_%s.properties".formatted(name, code);
        try (var stream = Objects.requireNonNull(CliLanguage.class.getResourceAsStream(file), file)) {
            return new PropertyResourceBundle(new InputStreamReader(stream, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
