package io.hiroba.records;

import io.hiroba.platform.db.Tx;
import io.hiroba.records.KnowledgeTextStore.ProjectChoice;
import io.hiroba.records.KnowledgeTextStore.TextRow;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * Records as texts for knowledge, by the choices of {@link KnowledgeTexts}. A text has the values of the chosen attributes alone, whoever
 * reads it.
 */
public final class RecordTexts {

    private static final int MAX_TITLE_LENGTH = 120;

    /** A longer value is a paragraph of its own. */
    private static final int MAX_LINE_LENGTH = 120;

    private final SchemaStore schemas = new SchemaStore();
    private final KnowledgeTextStore store = new KnowledgeTextStore();

    /**
     * The text of a record.
     *
     * @param text empty if none of its attributes has a value
     * @param url of its page
     */
    public record RecordText(UUID row, String title, String text, String url) {}

    /** A choice as knowledge shows it: the names of its project and its schema. */
    public record TextsName(String project, String schema) {}

    /** Values that are words or figures: neither computed nor of others' records, nor people or files. */
    static boolean isText(Schema schema, SchemaAttribute attribute) {
        boolean isValue = switch (attribute.type()) {
            case TEXT, NUMERIC, DATE, DATETIME -> attribute.references() == null;
            case MULTI_SELECT -> attribute.isMultiSelect();
            case BOOL, JSONB -> false;
        };
        return isValue
                && !schema.isComputed(attribute)
                && !attribute.isPerson()
                && (!attribute.isGenerated() || attribute.isFormatted(ValueFormat.Kind.AUTONUMBER));
    }

    /** Empty if it is no longer chosen. */
    public Optional<TextsName> name(Tx tx, long texts) {
        return store.find(tx, texts)
                .flatMap(found -> schema(tx, found)
                        .map(schema -> new TextsName(found.project().name(), schema.label())));
    }

    /** The texts of those of the records that are there; none if they are no longer chosen. */
    public List<RecordText> texts(Tx tx, long texts, Collection<UUID> rows) {
        return texts(
                tx,
                texts,
                found -> store.find(tx, found.project().tables(), found.choice().schema(), rows));
    }

    /** The texts of the next records after {@code after}, by their ids. */
    public List<RecordText> after(Tx tx, long texts, UUID after, int limit) {
        return texts(
                tx,
                texts,
                found ->
                        store.after(tx, found.project().tables(), found.choice().schema(), after, limit));
    }

    private List<RecordText> texts(Tx tx, long texts, Function<ProjectChoice, List<TextRow>> rows) {
        var found = store.find(tx, texts);
        var schema = found.flatMap(choice -> schema(tx, choice));
        if (schema.isEmpty()) {
            return List.of();
        }
        var attributes = found.get().choice().attributesOf(schema.get());
        var path = "/records/%s/%s/"
                .formatted(
                        found.get().project().id().hex(),
                        SchemaNames.encoded(schema.get().name()));
        return rows.apply(found.get()).stream()
                .map(row -> text(schema.get(), attributes, row, path))
                .toList();
    }

    private Optional<Schema> schema(Tx tx, ProjectChoice found) {
        return schemas.find(tx, found.project().tables(), found.choice().schema());
    }

    private static RecordText text(Schema schema, List<SchemaAttribute> attributes, TextRow row, String path) {
        var title = attributes.stream()
                .filter(each -> each.type() == ValueType.TEXT)
                .map(each -> words(each, row))
                .filter(words -> !words.isEmpty())
                .findFirst()
                .map(RecordTexts::title)
                .orElseGet(() -> schema.label() + " " + row.id().toString().substring(0, 8));
        var text = attributes.stream()
                .map(each -> paragraph(each.label(), words(each, row)))
                .filter(paragraph -> !paragraph.isEmpty())
                .collect(Collectors.joining("\n"));
        return new RecordText(row.id().value(), title, text, path + row.id());
    }

    private static String paragraph(String label, String words) {
        if (words.isEmpty()) {
            return "";
        }
        return words.length() <= MAX_LINE_LENGTH && words.indexOf('\n') < 0
                ? label + ": " + words
                : "\n" + label + ":\n" + words + "\n";
    }

    private static String title(String words) {
        var line = words.lines().findFirst().orElse("").strip();
        return line.codePointCount(0, line.length()) <= MAX_TITLE_LENGTH
                ? line
                : line.substring(0, line.offsetByCodePoints(0, MAX_TITLE_LENGTH - 1))
                                .strip() + "…";
    }

    private static String words(SchemaAttribute attribute, TextRow row) {
        var value = Documents.value(row.document(), attribute);
        if (value.isNull()) {
            return "";
        }
        return value.isArray()
                ? value.valueStream().map(each -> word(attribute, each)).collect(Collectors.joining(", "))
                : word(attribute, value);
    }

    private static String word(SchemaAttribute attribute, JsonNode value) {
        if (!attribute.isSelect() && !attribute.isMultiSelect()) {
            return value.isNumber() && !attribute.type().isTime()
                    ? value.decimalValue().toPlainString()
                    : attribute.type().shown(value).asString("").strip();
        }
        var option = attribute.choice(value.asString(""));
        return option.title() == null ? option.value() : option.title();
    }
}
