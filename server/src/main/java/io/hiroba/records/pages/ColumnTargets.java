package io.hiroba.records.pages;

import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Sight;
import io.hiroba.records.transfer.Import;
import io.hiroba.records.transfer.Preview;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where the columns of a file go, and where else they could go. */
final class ColumnTargets {

    private final @Nullable Sight sight;
    private final Import found;

    /** The attributes that no column needs to be proposed for. */
    private final Set<String> taken = new HashSet<>();

    /** @param sight the schema; null if it is yet to be made */
    ColumnTargets(@Nullable Sight sight, Preview preview, Import found) {
        this.sight = sight;
        this.found = found;
        for (var column : preview.columns()) {
            var attribute = column.attribute();
            if (attribute != null) {
                taken.add(attribute);
            }
        }
    }

    ImportSheet.Column of(Preview.Column column) {
        return sight == null ? made(column) : known(sight, column);
    }

    /** Of a schema that is made from the file, a column is an attribute or nothing. */
    private ImportSheet.Column made(Preview.Column column) {
        var attribute = column.attribute();
        if (attribute == null) {
            var choices = isChosen(column) ? List.of(new Filter.Choice(column.name(), column.name())) : none();
            return new ImportSheet.Column(column.name(), column.inferred(), "left out", false, "", choices);
        }
        return new ImportSheet.Column(
                column.name(),
                column.inferred(),
                "new attribute" + (attribute.equals(column.name()) ? "" : " " + attribute),
                false,
                column.name(),
                List.of(new Filter.Choice(column.name(), attribute)));
    }

    private ImportSheet.Column known(Sight schema, Preview.Column column) {
        var attribute = column.attribute();
        var choices = schema.shown().stream()
                .filter(schema::mayWrite)
                .map(each -> new Filter.Choice(each.name(), each.name()))
                .toList();
        if (attribute == null) {
            return new ImportSheet.Column(
                    column.name(), column.inferred(), "left out", false, "", isChosen(column) ? choices : none());
        }
        var type = column.type();
        if (type == null) {
            var proposed = proposal(schema, column.name()).orElse("");
            return new ImportSheet.Column(column.name(), column.inferred(), "unknown", true, proposed, choices);
        }
        var note = attribute.equals(column.name()) ? "" : "goes to " + attribute;
        return new ImportSheet.Column(column.name(), type, note, false, attribute, choices);
    }

    /** The attribute whose name differs no more than in case and in what stands between words. */
    private Optional<String> proposal(Sight schema, String column) {
        return schema.shown().stream()
                .filter(schema::mayWrite)
                .map(Attribute::name)
                .filter(name -> plain(name).equalsIgnoreCase(plain(column)))
                .filter(taken::add)
                .findFirst();
    }

    private static String plain(String name) {
        return name.strip().replaceAll("[ _-]+", "_");
    }

    /** Whether it is left out because somebody said so, and not because it is none of the file's own. */
    private boolean isChosen(Preview.Column column) {
        var columns = found.options().columns();
        return columns != null
                && columns.containsKey(column.name())
                && !column.name().startsWith("_");
    }

    private static List<Filter.Choice> none() {
        return List.of();
    }
}
