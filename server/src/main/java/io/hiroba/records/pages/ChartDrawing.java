package io.hiroba.records.pages;

import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.views.PanelFigures;
import io.hiroba.records.views.ResolvedPanel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A drawn chart, or a figure of all records together.
 *
 * @param figure null for a chart
 */
public record ChartDrawing(
        List<Row> rows,
        boolean isCut,
        @Nullable Chart chart,
        @Nullable String figure) {

    public ChartDrawing {
        rows = List.copyOf(rows);
    }

    /** A group. */
    public record Row(String label, String value, @Nullable String href) {}

    /**
     * Draws {@code figures}.
     *
     * @param request the filter of the grid that groups lead to
     * @param path the path of that grid
     */
    static ChartDrawing of(
            ProjectAccess access,
            RecordTitles titles,
            Reader reader,
            ResolvedPanel panel,
            PanelFigures figures,
            @Nullable GridRequest request,
            String path) {
        var result = figures.result();
        if (panel.by() == null) {
            var figure = result.rows().isEmpty()
                    ? null
                    : result.rows().getFirst().figures().getFirst();
            return new ChartDrawing(
                    List.of(), false, null, figure == null ? "–" : ChartGroups.number(figure.decimalValue()));
        }
        boolean line = panel.isInTime();
        var by = new ChartChoice.By("", Text.verbatim(""), panel.by(), panel.unit(), panel.bins());
        var groups = new ChartGroups(access, titles, reader, by, figures.bin());
        var rows = new ArrayList<Row>();
        var points = new ArrayList<ChartLayout.Point>();
        for (var row : result.rows()) {
            var key = row.keys().getFirst();
            var figure = row.figures().getFirst();
            // A line chart has no position for records without a date.
            if (line && key == null) {
                continue;
            }
            var label = groups.label(key);
            var value = figure == null ? "–" : ChartGroups.number(figure.decimalValue());
            rows.add(new Row(label, value, request == null ? null : groups.href(path, request, key)));
            if (figure != null) {
                points.add(new ChartLayout.Point(label, figure.decimalValue(), value));
            }
        }
        var chart = points.isEmpty() ? null : line ? ChartLayout.line(points) : ChartLayout.bars(points);
        return new ChartDrawing(rows, !result.complete(), chart, null);
    }

    /** The words for what a panel shows. */
    static Text title(ResolvedPanel panel) {
        var measure = ChartChoice.shown(panel.recordAccess()).stream()
                .filter(each -> each.measure().equals(panel.measure()))
                .map(ChartChoice.Shown::label)
                .findFirst()
                .orElse(Text.of("records.measure.count"));
        var by = panel.by();
        if (by == null) {
            return Text.of(
                    "records.dashboard-figure",
                    "measure",
                    measure,
                    "schema",
                    panel.recordAccess().schema().label());
        }
        var group = ChartChoice.by(panel.recordAccess()).stream()
                .filter(each -> each.attribute().equals(by)
                        && Objects.equals(each.unit(), panel.unit())
                        && each.isBinned() == panel.bins())
                .map(ChartChoice.By::label)
                .findFirst()
                .orElse(Text.verbatim(by.label()));
        return Text.of("records.chart-heading", "measure", measure, "group", group);
    }
}
