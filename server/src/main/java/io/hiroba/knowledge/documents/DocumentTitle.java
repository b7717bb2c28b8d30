package io.hiroba.knowledge.documents;

import io.hiroba.knowledge.KnowledgeProblem;
import io.hiroba.knowledge.StorableText;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.text.VisibleText;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Validates titles that people choose, and derives the others from the document. */
public final class DocumentTitle {

    private static final int MAX_LENGTH = 300;
    /** The maximum length of a title derived from the text. */
    private static final int MAX_EXCERPT_LENGTH = 80;

    private DocumentTitle() {}

    /** Validates a chosen title. */
    public static String checked(String title) {
        var clean = tidy(title);
        if (VisibleText.isBlank(clean) || clean.length() > MAX_LENGTH) {
            throw KnowledgeProblem.invalid("title", Text.of("knowledge.field.title", "max", MAX_LENGTH));
        }
        return clean;
    }

    /** The title of an untitled document: its own, else {@code name}, else its first words. */
    public static String of(ParsedDocument document, @Nullable String name) {
        return Optional.ofNullable(document.title())
                .or(() -> Optional.ofNullable(name))
                .map(DocumentTitle::tidy)
                .filter(title -> !VisibleText.isBlank(title))
                .map(title -> cut(title, MAX_LENGTH))
                .orElseGet(() -> cut(firstWords(document), MAX_EXCERPT_LENGTH));
    }

    private static String firstWords(ParsedDocument document) {
        return document.sections().stream()
                .flatMap(section -> section.blocks().stream())
                .map(DocumentTitle::text)
                .map(DocumentTitle::tidy)
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("…");
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

    private static String cut(String title, int max) {
        if (title.length() <= max) {
            return title;
        }
        int end = Character.isHighSurrogate(title.charAt(max - 2)) ? max - 2 : max - 1;
        return title.substring(0, end).strip() + "…";
    }
}
