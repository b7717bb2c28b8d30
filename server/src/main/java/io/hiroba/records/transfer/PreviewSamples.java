package io.hiroba.records.transfer;

import io.hiroba.records.Documents;
import io.hiroba.records.transfer.ImportPreview.PreviewRow;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.node.ObjectNode;

/** The first lines of a file without a schema. */
final class PreviewSamples {

    private final List<FileLine> lines = new ArrayList<>();
    private final List<LineError> unreadable = new ArrayList<>();
    private List<String> columns = List.of();

    Consumer<FileLine> keeping(LineReader file) {
        columns = file.columns();
        return line -> {
            if (line instanceof FileLine.Unreadable(var number, var message)) {
                ImportPreviewer.note(List.of(new LineError(number, "", message)), unreadable);
            } else if (lines.size() < ImportPreviewer.ROWS_SHOWN) {
                lines.add(line);
            }
        };
    }

    /** The values as written, since there is no schema to validate them. */
    void show(ImportOptions options, List<PreviewRow> rows, List<LineError> errors) {
        lines.forEach(line -> rows.add(new PreviewRow(line.number(), written(options, columns, line))));
        errors.addAll(unreadable);
    }

    private static ObjectNode written(ImportOptions options, List<String> columns, FileLine line) {
        var written = Documents.exact().createObjectNode();
        if (line instanceof FileLine.Values(var number, var object)) {
            object.properties().forEach(each -> written.set(options.attribute(each.getKey()), each.getValue()));
        } else if (line instanceof FileLine.Cells(var number, var cells, var types)) {
            for (int i = 0; i < cells.size(); i++) {
                written.put(options.attribute(columns.get(i)), cells.get(i));
            }
        }
        written.remove("");
        return written;
    }
}
