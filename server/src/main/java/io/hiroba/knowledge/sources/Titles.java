package io.hiroba.knowledge.sources;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.StorableText;
import io.hiroba.knowledge.reading.Block;
import io.hiroba.knowledge.reading.Reading;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How sources are called. */
final class Titles {

    private static final int LONGEST = 300;
    /** Of a title that is the beginning of a text. */
    private static final int LONGEST_BEGINNING = 80;

    private Titles() {}

    /** A title that somebody chose. */
    static String checked(String title) {
        var clean = tidy(title);
        if (clean.isEmpty() || clean.length() > LONGEST) {
            throw KnowledgeProblem.invalid("title", "must have 1 to %d characters".formatted(LONGEST));
        }
        return clean;
    }

    /** The title of what nobody gave one: what it calls itself, else {@code name}, else how it begins. */
    static String of(Reading reading, @Nullable String name) {
        return Optional.ofNullable(reading.title())
                .or(() -> Optional.ofNullable(name))
                .map(Titles::tidy)
                .filter(title -> !title.isEmpty())
                .map(title -> cut(title, LONGEST))
                .orElseGet(() -> cut(beginning(reading), LONGEST_BEGINNING));
    }

    private static String beginning(Reading reading) {
        return reading.sections().stream()
                .flatMap(section -> section.blocks().stream())
                .map(Titles::text)
                .map(Titles::tidy)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("Untitled");
    }

    private static String text(Block block) {
        return switch (block) {
            case Block.Text text -> firstLine(text.text());
            case Block.Code code -> firstLine(code.text());
            case Block.Items items -> items.items().getFirst();
            case Block.Table table -> table.head().isEmpty() ? table.rows().getFirst() : table.head();
            case Block.Message message -> firstLine(message.text());
        };
    }

    private static String firstLine(String text) {
        return text.lines().filter(line -> !line.isBlank()).findFirst().orElse("");
    }

    private static String tidy(String title) {
        return StorableText.of(title).strip().replaceAll("\\s+", " ");
    }

    private static String cut(String title, int most) {
        if (title.length() <= most) {
            return title;
        }
        int end = Character.isHighSurrogate(title.charAt(most - 2)) ? most - 2 : most - 1;
        return title.substring(0, end).strip() + "…";
    }
}
