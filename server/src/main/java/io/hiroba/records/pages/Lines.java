package io.hiroba.records.pages;

import io.hiroba.records.Access;
import io.hiroba.records.data.Documents;
import io.hiroba.records.data.RecordView;
import io.hiroba.records.query.Found;
import io.hiroba.records.query.FoundRow;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Sight;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes lines of a grid. */
final class Lines {

    private final Access access;
    private final Sight sight;
    private final Entrance entrance;
    private final Titles titles;
    private final Cells cells;

    Lines(Access access, Sight sight, Entrance entrance, Titles titles, LocalMoments moments) {
        this.access = access;
        this.sight = sight;
        this.entrance = entrance;
        this.titles = titles;
        this.cells = new Cells(moments);
    }

    /** What to ask for so that the columns can be shown: references come with what they refer to is called. */
    List<String> select(List<Attribute> columns) {
        var select = new ArrayList<String>();
        for (var column : columns) {
            select.add(column.name());
            title(column).ifPresent(title -> select.add(column.name() + "." + title.name()));
        }
        return select;
    }

    List<Grid.Line> of(Found found, List<Attribute> columns) {
        var joined = new HashMap<String, Integer>();
        for (int i = 0; i < found.joined().size(); i++) {
            joined.put(found.joined().get(i).reference().name(), i);
        }
        return found.rows().stream()
                .map(row -> line(found, joined, row, columns))
                .toList();
    }

    Grid.Line of(RecordView record, List<Attribute> columns) {
        return line(
                record.id(),
                columns.stream()
                        .map(column -> column.references() == null
                                ? cells.of(column, record.values().get(column.name()))
                                : titles.cell(access, column, record.values().get(column.name())))
                        .toList());
    }

    private Grid.Line line(Found found, Map<String, Integer> joined, FoundRow row, List<Attribute> columns) {
        var document = row.document();
        var shown = new ArrayList<Cell>();
        for (var column : columns) {
            var value = Documents.value(document, column);
            if (column.references() == null || value.isNull()) {
                shown.add(cells.of(column, value.isNull() ? null : column.type().shown(value)));
            } else {
                shown.add(titles.cell(access, column, value.asString(), title(found, joined.get(column.name()), row)));
            }
        }
        return line(row.id().toString(), shown);
    }

    private static Optional<String> title(Found found, @Nullable Integer place, FoundRow row) {
        if (place == null) {
            return Optional.empty();
        }
        return Optional.ofNullable(row.targets().get(place))
                .map(Documents::read)
                .map(document ->
                        Documents.value(document, found.joined().get(place).attribute()))
                .filter(value -> !value.isNull())
                .map(value -> value.asString());
    }

    private Optional<Attribute> title(Attribute column) {
        return column.references() == null
                ? Optional.empty()
                : Titles.attribute(entrance.target(access, column.references()));
    }

    private Grid.Line line(String id, List<Cell> shown) {
        return new Grid.Line(
                id, Paths.schema(access.project().id(), sight.schema().name()) + "/" + id, shown);
    }
}
