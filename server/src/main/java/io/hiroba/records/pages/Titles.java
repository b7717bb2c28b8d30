package io.hiroba.records.pages;

import io.hiroba.platform.problem.Problem;
import io.hiroba.records.Access;
import io.hiroba.records.data.RecordView;
import io.hiroba.records.data.Records;
import io.hiroba.records.data.RowId;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Sight;
import io.hiroba.records.schema.ValueType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What records are called: the first text that they have. */
public final class Titles {

    private static final int ID_SHOWN = 8;

    private final Entrance entrance;
    private final Records records;

    public Titles(Entrance entrance, Records records) {
        this.entrance = entrance;
        this.records = records;
    }

    /** The attribute whose value a record is called by, if its schema has such a one that is shown. */
    static Optional<Attribute> attribute(Sight sight) {
        return sight.shown().stream()
                .filter(each -> each.type() == ValueType.TEXT && each.references() == null)
                .findFirst();
    }

    /** Of a record itself. */
    static String of(Sight sight, RecordView record) {
        return attribute(sight)
                .map(each -> record.values().get(each.name()))
                .map(JsonNode::asString)
                .filter(text -> !text.isBlank())
                .map(Cells::cut)
                .orElseGet(() -> sight.schema().name() + " " + shortened(record.id()));
    }

    /** The cell of a reference, whose record is asked for. */
    Cell cell(Access access, Attribute reference, @Nullable JsonNode value) {
        if (value == null || value.isNull()) {
            return new Cell(reference.name(), "none", "", null, null);
        }
        return cell(access, reference, value.asString(), title(access, reference, value.asString()));
    }

    /** The cell of a reference to a record that is called {@code title}, or to one that has no title for the reader. */
    Cell cell(Access access, Attribute reference, String id, Optional<String> title) {
        var target = entrance.target(access, target(reference));
        return Cells.link(
                reference,
                title.filter(text -> !text.isBlank()).orElseGet(() -> shortened(id)),
                Paths.schema(access.project().id(), target.schema().name()) + "/" + Paths.encoded(id));
    }

    /** What the record is called that a reference refers to; nothing where the reader does not see it. */
    Optional<String> title(Access access, Attribute reference, String id) {
        if (id.isBlank()) {
            return Optional.empty();
        }
        var target = entrance.target(access, target(reference));
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

    static short target(Attribute reference) {
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
