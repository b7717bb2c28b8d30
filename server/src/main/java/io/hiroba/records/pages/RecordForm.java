package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.records.Documents;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordView;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The input of a record's form and its errors. */
final class RecordForm {

    private final ProjectAccess access;
    private final RecordAccess recordAccess;
    private final RecordTitles titles;
    private final Reader reader;
    private final Map<String, String> typed = new LinkedHashMap<>();
    private final Map<String, String> errors = new LinkedHashMap<>();
    private @Nullable String problem;
    private boolean takesFiles = true;

    RecordForm(ProjectAccess access, RecordAccess recordAccess, RecordTitles titles, Reader reader) {
        this.access = access;
        this.recordAccess = recordAccess;
        this.titles = titles;
        this.reader = reader;
    }

    /** The same for people who are not members: files would be stored as those of whoever shares it. */
    RecordForm withoutFiles() {
        takesFiles = false;
        return this;
    }

    /** Reads the fields of a form; missing fields are unchanged. */
    RecordForm read(Context ctx) {
        for (var attribute : recordAccess.shown()) {
            var value = ctx.formParam("v." + attribute.name());
            if (value != null && isChosen(attribute)) {
                typed.put(attribute.name(), String.join("\n", ctx.formParams("v." + attribute.name())));
            } else if (value != null) {
                typed.put(attribute.name(), value);
            } else if (isCheck(attribute) && recordAccess.canWrite(attribute)) {
                // Browsers do not send unchecked boxes.
                typed.put(attribute.name(), "false");
            }
            if (takesFiles && attribute.isAttachments() && recordAccess.canWrite(attribute)) {
                upload(ctx, attribute);
            }
        }
        return this;
    }

    /** Stores the files of a form, which are then chosen. */
    private void upload(Context ctx, SchemaAttribute attribute) {
        try {
            for (var file : ctx.uploadedFiles("f." + attribute.name())) {
                // Browsers send a nameless part where no file was chosen.
                if (file.size() > 0 || !file.filename().isEmpty()) {
                    typed.merge(
                            attribute.name(),
                            titles.upload(access, file),
                            (before, id) -> before.isBlank() ? id : before + "\n" + id);
                }
            }
        } catch (RecordsProblem refusal) {
            errors.put(attribute.name(), reader.text(refusal.detail()));
        }
    }

    /** Whether boxes tell what is in a list. */
    private static boolean isChosen(SchemaAttribute attribute) {
        return attribute.isList() || attribute.isAttachments();
    }

    private static boolean isCheck(SchemaAttribute attribute) {
        return attribute.type() == ValueType.BOOL && attribute.required();
    }

    /** The values of a new record; fields that cannot be parsed are in {@link #hasErrors}. */
    ObjectNode values() {
        var values = Documents.exact().createObjectNode();
        typed.forEach((name, text) -> recordAccess.attribute(name).ifPresent(attribute -> {
            var value = json(attribute, text);
            // An empty field gets its default, or is reported as required.
            if (value != null && !value.isNull()) {
                values.set(name, value);
            }
        }));
        return values;
    }

    /** The values that differ from the record that the form showed. */
    ObjectNode changes(RecordView before) {
        var values = Documents.exact().createObjectNode();
        typed.forEach((name, text) -> recordAccess
                .attribute(name)
                .filter(recordAccess::canWrite)
                .filter(attribute -> !same(attribute, text(before, attribute), FormValues.lines(text)))
                .ifPresent(attribute -> {
                    var value = json(attribute, isChosen(attribute) ? kept(before, attribute, text) : text);
                    if (value != null) {
                        values.set(name, value);
                    }
                }));
        return values;
    }

    /** The chosen options in the order that they had; boxes come in the order of the options. */
    private String kept(RecordView before, SchemaAttribute attribute, String text) {
        var chosen = chosen(text);
        var kept = new LinkedHashSet<>(chosen(text(before, attribute)));
        kept.retainAll(chosen);
        kept.addAll(chosen);
        return String.join("\n", kept);
    }

    private static Set<String> chosen(String text) {
        return text.lines()
                .map(String::strip)
                .filter(each -> !each.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Browsers omit zero seconds of a timestamp. */
    private boolean same(SchemaAttribute attribute, String before, String now) {
        if (isChosen(attribute)) {
            return chosen(before).equals(chosen(now));
        }
        return attribute.type() == ValueType.DATETIME
                ? reader.absolute(before).equals(reader.absolute(now))
                : before.equals(now);
    }

    private @Nullable JsonNode json(SchemaAttribute attribute, String text) {
        try {
            return FormValues.json(attribute, attribute.isPerson() ? members(text) : text, reader);
        } catch (RecordsProblem refusal) {
            refused(refusal);
            return null;
        }
    }

    /** People by their ids, who may be typed by their nicknames. */
    private String members(String text) {
        return FormValues.lines(text)
                .lines()
                .map(each -> titles.member(access, each))
                .collect(Collectors.joining("\n"));
    }

    boolean hasErrors() {
        return !errors.isEmpty();
    }

    @Nullable
    String problem() {
        return problem;
    }

    RecordForm refused(Problem refusal) {
        for (var fault : refusal.fields()) {
            if (recordAccess.attribute(fault.field()).isPresent()) {
                errors.putIfAbsent(fault.field(), reader.sentence(fault.message()));
            }
        }
        if (errors.isEmpty()) {
            problem = reader.text(refusal.detail());
        }
        return this;
    }

    RecordForm withProblem(Text text) {
        problem = reader.text(text);
        return this;
    }

    /** The fields of a new record. */
    List<FormField> fields() {
        var fields = new FormFields(reader);
        return recordAccess.shown().stream()
                .filter(recordAccess::canWrite)
                .map(each -> finished(
                        each,
                        typed.containsKey(each.name())
                                ? fields.of(each, typed(each.name()), false)
                                : fields.fresh(each, false)))
                .map(field -> field.kind() == FormField.Kind.FILES ? withFiles(field, null) : field)
                .toList();
    }

    /** The fields of an existing record with the typed values. */
    List<FormField> fields(RecordView record) {
        var fields = new FormFields(reader);
        return recordAccess.shown().stream()
                // The page says who wrote it.
                .filter(each -> !each.isGenerated() || !each.isPerson())
                .map(each -> finished(
                        each,
                        typed.containsKey(each.name()) && recordAccess.canWrite(each)
                                ? fields.of(each, typed(each.name()), false)
                                : fields.of(each, record.values().get(each.name()), !recordAccess.canWrite(each))))
                .map(field -> field.kind() == FormField.Kind.FILES ? withFiles(field, record) : field)
                .toList();
    }

    /** The same beside the newer values. */
    List<FormField> fieldsBeside(RecordView newer) {
        return fields(newer).stream()
                .map(field -> {
                    var attribute = recordAccess.attribute(field.attribute()).orElseThrow();
                    var now = text(newer, attribute);
                    return same(attribute, now, FormValues.lines(field.value()))
                            ? field
                            : field.withNewer(now.isEmpty() ? reader.text("records.nothing") : now);
                })
                .toList();
    }

    FormField field(SchemaAttribute attribute, RecordView record) {
        return fields(record).stream()
                .filter(each -> each.attribute().equals(attribute.name()))
                .findFirst()
                .orElseThrow();
    }

    /** With the names of files: those of the record, and those that were just uploaded. */
    private FormField withFiles(FormField field, @Nullable RecordView record) {
        var ids = chosen(field.value());
        var names = new HashMap<String, String>(titles.uploaded(access, ids));
        if (record != null) {
            record.values()
                    .path(field.attribute())
                    .forEach(each -> names.put(
                            each.path("id").asString(""), each.path("name").asString("")));
        }
        return field.withOptions(ids.stream()
                .map(id -> new Filter.Choice(id, names.getOrDefault(id, id)))
                .toList());
    }

    private FormField finished(SchemaAttribute attribute, FormField field) {
        var done = field.withError(errors.get(attribute.name()));
        if (field.value().isEmpty()) {
            return done;
        }
        if (attribute.isMany()) {
            return done.withOptions(titles.chosen(access, attribute, field.value()));
        }
        if (attribute.isPerson()) {
            return done.withShown(titles.nickname(field.value()).orElse(null));
        }
        if (attribute.references() == null) {
            return done;
        }
        return done.withShown(titles.title(access, attribute, field.value()).orElse(null));
    }

    private String typed(String name) {
        return String.valueOf(typed.get(name));
    }

    private String text(RecordView record, SchemaAttribute attribute) {
        return FormValues.lines(FormValues.text(attribute, record.values().get(attribute.name()), reader));
    }
}
