package io.hiroba.records.transfer;

import io.hiroba.records.data.Documents;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.BadValue;
import io.hiroba.records.schema.Sight;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Makes values of a schema's attributes out of the lines of a file. */
final class Reading {

    private final Sight sight;
    private final ImportOptions options;
    private final Cells cells;

    /** The attribute of each column; null for those that are left out. */
    private final List<@Nullable Attribute> columns;

    /** @throws BrokenContent if one of {@code columns} is no attribute */
    Reading(Sight sight, ImportOptions options, List<String> columns) {
        this.sight = sight;
        this.options = options;
        this.cells = new Cells(ZoneId.of(options.timeZone()));
        this.columns = new ArrayList<>();
        for (var column : columns) {
            this.columns.add(isLeftOut(column) ? null : require(column));
        }
    }

    /** The values that {@code line} gives, by the attributes' names; what is wrong with them goes to {@code errors}. */
    Optional<ObjectNode> values(Line line, List<LineError> errors) {
        int before = errors.size();
        var values = switch (line) {
            case Line.Cells(var number, var texts) -> ofCells(number, texts, errors);
            case Line.Values(var number, var object) -> ofObject(number, object, errors);
            case Line.Unreadable(var number, var message) -> {
                errors.add(new LineError(number, "", message));
                yield Documents.exact().createObjectNode();
            }
        };
        return errors.size() == before ? Optional.of(values) : Optional.empty();
    }

    private ObjectNode ofCells(long number, List<String> texts, List<LineError> errors) {
        var values = Documents.exact().createObjectNode();
        for (int i = 0; i < texts.size(); i++) {
            var attribute = columns.get(i);
            var text = texts.get(i);
            if (attribute != null && !text.isEmpty()) {
                try {
                    values.set(attribute.name(), cells.value(attribute.type(), text));
                } catch (BadValue e) {
                    errors.add(new LineError(number, attribute.name(), e.reason()));
                }
            }
        }
        return values;
    }

    private ObjectNode ofObject(long number, ObjectNode object, List<LineError> errors) {
        var values = Documents.exact().createObjectNode();
        for (var property : object.properties()) {
            var name = property.getKey();
            if (property.getValue().isNull() || isLeftOut(name)) {
                continue;
            }
            var attribute = find(name);
            if (attribute.isEmpty()) {
                errors.add(new LineError(
                        number,
                        name,
                        "is no attribute of `%s`".formatted(sight.schema().name())));
                continue;
            }
            try {
                values.set(attribute.get().name(), cells.value(attribute.get().type(), property.getValue()));
            } catch (BadValue e) {
                errors.add(new LineError(number, name, e.reason()));
            }
        }
        return values;
    }

    private boolean isLeftOut(String column) {
        return Columns.isOurs(column) || options.attribute(column).isEmpty();
    }

    private Optional<Attribute> find(String column) {
        return sight.attribute(options.attribute(column));
    }

    private Attribute require(String column) {
        return find(column)
                .orElseThrow(() -> new BrokenContent(
                        1,
                        "names the column `%s`, which is no attribute of `%s`: say with `columns` where it goes, or nowhere"
                                .formatted(column, sight.schema().name())));
    }
}
