package io.hiroba.records.transfer;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.Documents;
import io.hiroba.records.InvalidValueException;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Maps the lines of a file to values of a schema's attributes. */
final class LineMapper {

    private final RecordAccess recordAccess;
    private final ImportOptions options;
    private final ColumnMatcher matcher;
    private final CellParser cells;

    /** The attribute of each column; null for those left out. */
    private final List<@Nullable SchemaAttribute> columns;

    /** The columns that have no name and go nowhere, unless they have values. */
    private final Map<Integer, String> stray = new HashMap<>();

    /**
     * @param unnamed those of {@code columns} that have no name of their own
     * @throws MalformedFileException if another one is not an attribute, or is the same as another
     */
    LineMapper(RecordAccess recordAccess, ImportOptions options, List<String> columns, Set<String> unnamed) {
        this.recordAccess = recordAccess;
        this.options = options;
        this.matcher = new ColumnMatcher(recordAccess, options);
        this.cells = new CellParser(
                ZoneId.of(options.timeZone()), options.dates(), options.durations(), options.decimalOfCells());
        this.columns = new ArrayList<>();
        for (var column : columns) {
            if (unnamed.contains(column) && !isLeftOut(column) && find(column).isEmpty()) {
                stray.put(this.columns.size(), column);
                this.columns.add(null);
                continue;
            }
            var attribute = isLeftOut(column) ? null : require(column);
            if (attribute != null && this.columns.contains(attribute)) {
                throw new MalformedFileException(options.firstRow(), twice(attribute));
            }
            // What an export had and nobody writes.
            this.columns.add(attribute != null && isPassedOver(attribute) ? null : attribute);
        }
    }

    /** The values of {@code line} by attribute name; errors are added to {@code errors}. */
    Optional<ObjectNode> values(FileLine line, List<LineError> errors) {
        int before = errors.size();
        var values = switch (line) {
            case FileLine.Cells(var number, var texts, var types) -> ofCells(number, texts, errors);
            case FileLine.Values(var number, var object) -> ofObject(number, object, errors);
            case FileLine.Unreadable(var number, var message) -> {
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
            var column = stray.get(i);
            if (column != null && !text.isBlank()) {
                errors.add(new LineError(number, "", Text.of("records.transfer.cell-unnamed", "column", column)));
            }
            if (attribute != null && !text.isEmpty()) {
                try {
                    values.set(attribute.name(), cells.value(attribute, text));
                } catch (InvalidValueException e) {
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
            try {
                var attribute = matcher.attribute(name);
                if (attribute.isEmpty()) {
                    throw new InvalidValueException(Text.of(
                            "records.field.no-attribute",
                            "schema",
                            recordAccess.schema().name()));
                }
                if (isPassedOver(attribute.get())) {
                    continue;
                }
                if (values.has(attribute.get().name())) {
                    throw new InvalidValueException(twice(attribute.get()));
                }
                values.set(attribute.get().name(), cells.value(attribute.get().type(), property.getValue()));
            } catch (InvalidValueException e) {
                errors.add(new LineError(number, name, e.reason()));
            }
        }
        return values;
    }

    /** What the server sets, and files, which are known by their names only. */
    private static boolean isPassedOver(SchemaAttribute attribute) {
        return attribute.isGenerated() || attribute.isAttachments();
    }

    private boolean isLeftOut(String column) {
        return ColumnNames.isOurs(column) || options.attribute(column).isEmpty();
    }

    private Optional<SchemaAttribute> find(String column) {
        try {
            return matcher.attribute(column);
        } catch (InvalidValueException e) {
            throw new MalformedFileException(options.firstRow(), e.reason());
        }
    }

    private SchemaAttribute require(String column) {
        return find(column)
                .orElseThrow(() -> new MalformedFileException(
                        options.firstRow(),
                        Text.of(
                                "records.transfer.no-attribute",
                                "column",
                                column,
                                "schema",
                                recordAccess.schema().name())));
    }

    private static Text twice(SchemaAttribute attribute) {
        return Text.of("records.transfer.two-columns", "attribute", attribute.name());
    }
}
