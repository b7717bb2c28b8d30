package io.hiroba.records;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;

/** A record of a request that is to be written, and the problem if it is refused. */
final class RecordWrite {

    /** The document after the write. */
    private final RecordRow row;

    /** The stored record; null if it does not exist. */
    private final @Nullable RecordRow before;

    private final List<FieldError> faults = new ArrayList<>();
    private @Nullable RecordsProblem problem;
    private boolean restored;

    RecordWrite(RecordRow row) {
        this(row, null, List.of());
    }

    RecordWrite(RecordRow row, @Nullable RecordRow before, List<FieldError> errors) {
        this.row = row;
        this.before = before;
        if (!errors.isEmpty()) {
            refuse(RecordsProblem.invalid(Text.of("records.problem.record-invalid"), errors));
        }
    }

    /** A deleted record that is written again as it was: those whom it names need not be members any more. */
    static RecordWrite restored(RecordRow row, List<FieldError> errors) {
        var write = new RecordWrite(row, null, errors);
        write.restored = true;
        return write;
    }

    boolean isRestored() {
        return restored;
    }

    RecordRow row() {
        return row;
    }

    /** The texts of {@code attribute} after the write that were not there before: one, or those of a list. */
    List<String> added(SchemaAttribute attribute) {
        var texts = texts(row, attribute);
        if (before != null) {
            texts.removeAll(texts(before, attribute));
        }
        return texts;
    }

    private static List<String> texts(RecordRow row, SchemaAttribute attribute) {
        var texts = new ArrayList<String>();
        var value = Documents.value(row.document(), attribute);
        if (value.isString()) {
            texts.add(value.stringValue());
        } else if (value.isArray()) {
            value.forEach(each -> texts.add(each.asString("")));
        }
        return texts;
    }

    /** The files of {@code attribute} that were not there before. */
    List<Long> addedFiles(SchemaAttribute attribute) {
        var files = files(row, attribute);
        if (before != null) {
            files.removeAll(files(before, attribute));
        }
        return files;
    }

    private static List<Long> files(RecordRow row, SchemaAttribute attribute) {
        var files = new ArrayList<Long>();
        for (var each : Documents.value(row.document(), attribute).values()) {
            files.add(Ids.parse(each.path("id").asString("")));
        }
        return files;
    }

    /** Writes what is known of files into the document. Of a restored record, those that are gone are left out. */
    void describeFiles(SchemaAttribute attribute, List<AttachmentStore.Attachment> known) {
        var value = Documents.value(row.document(), attribute);
        if (!value.isArray()) {
            return;
        }
        var added = addedFiles(attribute);
        var list = JsonNodeFactory.instance.arrayNode();
        for (var each : value.values()) {
            long id = Ids.parse(each.path("id").asString(""));
            var file = known.stream().filter(one -> one.id() == id).findFirst();
            if (file.isPresent()) {
                var described = list.addObject()
                        .put("id", Ids.hex(id))
                        .put("name", file.get().name())
                        .put("type", file.get().mediaType())
                        .put("size", file.get().size());
                if (file.get().thumbnail() != null) {
                    described.put("thumbnail", true);
                }
            } else if (!restored || !added.contains(id)) {
                list.add(each);
            }
        }
        Documents.set(row.document(), attribute, list.isEmpty() ? JsonNodeFactory.instance.nullNode() : list);
    }

    boolean isGood() {
        return problem == null;
    }

    void refuse(RecordsProblem reason) {
        faults.addAll(reason.fields());
        if (problem == null) {
            problem = reason;
        }
    }

    /** The fields of all refusals. */
    List<FieldError> faults() {
        return faults;
    }

    WriteResult outcome() {
        return problem == null ? new WriteResult.Written(row) : new WriteResult.Refused(problem);
    }
}
