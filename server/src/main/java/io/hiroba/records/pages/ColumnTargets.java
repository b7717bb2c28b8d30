package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Text;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueFormat;
import io.hiroba.records.transfer.Import;
import io.hiroba.records.transfer.ImportPreview;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The mapping of the columns of a file to attributes. */
final class ColumnTargets {

    private final @Nullable RecordAccess recordAccess;
    private final Import found;

    /** The attributes that no column is suggested for. */
    private final Set<String> taken = new HashSet<>();

    /** @param recordAccess the schema; null if it is created by the import */
    ColumnTargets(@Nullable RecordAccess recordAccess, ImportPreview preview, Import found) {
        this.recordAccess = recordAccess;
        this.found = found;
        for (var column : preview.columns()) {
            var attribute = column.attribute();
            if (attribute != null) {
                taken.add(attribute);
            }
        }
    }

    PreviewedImport.Column of(ImportPreview.Column column) {
        return recordAccess == null ? created(column) : known(recordAccess, column);
    }

    /** In a schema created from the file, a column is an attribute or left out. */
    private PreviewedImport.Column created(ImportPreview.Column column) {
        var attribute = column.attribute();
        if (attribute == null) {
            var choices = isChosen(column) ? List.of(new Filter.Choice(column.name(), column.name())) : none();
            return new PreviewedImport.Column(
                    column.name(), inferred(column), Text.of("records.import-skipped"), false, "", choices);
        }
        return new PreviewedImport.Column(
                column.name(),
                inferred(column),
                attribute.equals(column.name())
                        ? Text.of("records.import-new-attribute")
                        : Text.of("records.import-new-attribute-named", "name", attribute),
                false,
                column.name(),
                List.of(new Filter.Choice(column.name(), attribute)));
    }

    private PreviewedImport.Column known(RecordAccess schema, ImportPreview.Column column) {
        var attribute = column.attribute();
        var choices = schema.shown().stream()
                .filter(schema::canWrite)
                .map(each -> new Filter.Choice(each.name(), each.label()))
                .toList();
        if (attribute == null) {
            return new PreviewedImport.Column(
                    column.name(),
                    kind(column.inferred()),
                    Text.of("records.import-skipped"),
                    false,
                    "",
                    isChosen(column) ? choices : none());
        }
        var type = column.type();
        if (type == null) {
            var proposed = proposal(schema, column.name()).orElse("");
            return new PreviewedImport.Column(
                    column.name(), kind(column.inferred()), Text.of("records.import-unknown"), true, proposed, choices);
        }
        var note = attribute.equals(column.name()) ? null : Text.of("records.import-goes-to", "attribute", attribute);
        return new PreviewedImport.Column(column.name(), kind(type), note, false, attribute, choices);
    }

    /** The attribute whose name differs in case and separators only. */
    private Optional<String> proposal(RecordAccess schema, String column) {
        return schema.shown().stream()
                .filter(schema::canWrite)
                .map(SchemaAttribute::name)
                .filter(name -> plain(name).equalsIgnoreCase(plain(column)))
                .filter(taken::add)
                .findFirst();
    }

    private static String plain(String name) {
        return name.strip().replaceAll("[ _-]+", "_");
    }

    /** Whether the column is left out by choice, not because it is a system column. */
    private boolean isChosen(ImportPreview.Column column) {
        var columns = found.options().columns();
        return columns != null
                && columns.containsKey(column.name())
                && !column.name().startsWith("_");
    }

    /** What the values of a column look like: a format if they have one. */
    private static Text inferred(ImportPreview.Column column) {
        return Optional.ofNullable(column.format())
                .flatMap(ValueFormat.Kind::named)
                .map(ValueFormat.Kind::title)
                .orElseGet(() -> kind(column.inferred()));
    }

    private static Text kind(String type) {
        return Text.of("records.kind." + type.replace('_', '-'));
    }

    private static List<Filter.Choice> none() {
        return List.of();
    }
}
