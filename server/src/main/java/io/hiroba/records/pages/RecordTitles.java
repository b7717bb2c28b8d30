package io.hiroba.records.pages;

import io.hiroba.platform.problem.Problem;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordView;
import io.hiroba.records.Records;
import io.hiroba.records.RowId;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Titles of records: their first text. */
final class RecordTitles {

    private static final int ID_SHOWN = 8;

    private final PageContext context;
    private final Records records;

    RecordTitles(PageContext context, Records records) {
        this.context = context;
        this.records = records;
    }

    /** The attribute that titles are taken from, if the schema has one that the reader may read. */
    static Optional<SchemaAttribute> attribute(RecordAccess recordAccess) {
        return recordAccess.shown().stream()
                .filter(each -> each.type() == ValueType.TEXT && each.references() == null && !each.isGenerated())
                .findFirst();
    }

    /** The title of a record. */
    static String of(RecordAccess recordAccess, RecordView record) {
        return attribute(recordAccess)
                .map(each -> record.values().get(each.name()))
                .map(JsonNode::asString)
                .filter(text -> !text.isBlank())
                .map(CellFormatter::cut)
                .orElseGet(() -> recordAccess.schema().label() + " " + shortened(record.id()));
    }

    /** The cell of a reference, whose record is looked up. */
    Cell cell(ProjectAccess access, SchemaAttribute reference, @Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return new Cell(reference.name(), reference.label(), "none", "", null, null);
        }
        return cell(access, reference, value.asString(), title(access, reference, value.asString()));
    }

    /** The cell of a reference to a record with this title, or to one without a title for the reader. */
    Cell cell(ProjectAccess access, SchemaAttribute reference, String id, Optional<String> title) {
        var target = context.target(access, target(reference));
        return CellFormatter.link(
                reference,
                title.filter(text -> !text.isBlank()).orElseGet(() -> shortened(id)),
                RecordPaths.schema(access.project().id(), target.schema().name()) + "/" + RecordPaths.encoded(id));
    }

    /** The title of the referenced record; empty if the reader may not read it. */
    Optional<String> title(ProjectAccess access, SchemaAttribute reference, String id) {
        if (id.isBlank()) {
            return Optional.empty();
        }
        var target = context.target(access, target(reference));
        try {
            var record = records.get(access, target.schema().name(), RowId.parse(id));
            return Optional.of(of(target, record));
        } catch (Problem refusal) {
            if (refusal.kind() == Problem.Kind.NOT_FOUND) {
                return Optional.empty();
            }
            throw refusal;
        }
    }

    static short target(SchemaAttribute reference) {
        var target = reference.references();
        if (target == null) {
            throw new IllegalArgumentException(reference.name() + " is no reference");
        }
        return target;
    }

    static String shortened(String id) {
        return id.length() <= ID_SHOWN ? id : "…" + id.substring(id.length() - ID_SHOWN);
    }
}
