package io.hiroba.knowledge;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.db.Tx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongBiFunction;
import java.util.stream.Collectors;

/** Makers of the public sources of the demo, in English, Japanese and Chinese. */
final class ExampleSources {

    private static final List<String> NAMES = List.of("house-rules", "tool-shed", "hinoki-tub", "balcony-vegetables");

    private final Sources sources;

    ExampleSources(Sources sources) {
        this.sources = sources;
    }

    /** By a name for each source; each answers its id. */
    Map<String, ToLongBiFunction<Tx, Caller>> makers() {
        return NAMES.stream().collect(Collectors.toMap(name -> "source " + name, this::maker));
    }

    private ToLongBiFunction<Tx, Caller> maker(String name) {
        return (tx, admin) -> {
            var draft = sources.read(admin, SourceInput.Text.note(null, text(name)));
            return sources.add(tx, admin, draft, new Sources.Placement(true, null))
                    .source()
                    .id()
                    .value();
        };
    }

    private static String text(String name) {
        var path = "examples/" + name + ".md";
        try (var stream = Objects.requireNonNull(ExampleSources.class.getResourceAsStream(path), path)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
