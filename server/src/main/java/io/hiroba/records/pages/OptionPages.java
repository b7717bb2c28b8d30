package io.hiroba.records.pages;

import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.OptionChanges;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.SelectOption;
import io.hiroba.records.ValueType;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The page of the options of an attribute: added, renamed, coloured, moved and removed in one form. */
public final class OptionPages implements Routes {

    private static final String OPTIONS = RecordPaths.SCHEMA + "/schema/attributes/{attribute}/options";

    /** The rows for new options that an empty form has. */
    private static final int BLANK = 3;

    /** The most rows of a form: the options that there may be, and some for new ones. */
    private static final int MAX_ROWS = 1010;

    /** The replacement that takes a value away. */
    private static final String NOTHING = "-";

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final OptionChanges options;

    OptionPages(Shell shell, Readers readers, PageContext context, OptionChanges options) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.options = options;
    }

    /**
     * An option in the form.
     *
     * @param was its value before; empty for a new one
     * @param count how many records have it
     * @param to what its records get if it is removed: {@code =} and a value, {@code -} for nothing; empty for no answer yet
     */
    public record Row(
            String was,
            String value,
            String title,
            String color,
            long count,
            boolean removed,
            String to,
            @Nullable String error) {

        private static Row of(SelectOption option, long count) {
            return new Row(
                    option.value(),
                    option.value(),
                    Objects.requireNonNullElse(option.title(), ""),
                    Objects.requireNonNullElse(option.color(), ""),
                    count,
                    false,
                    "",
                    null);
        }

        private Row withError(String message) {
            return new Row(was, value, title, color, count, removed, to, message);
        }

        boolean isBlank() {
            return was.isEmpty() && value.isBlank();
        }
    }

    /**
     * The page.
     *
     * @param isNew whether the rows are values that records have, of an attribute without options
     */
    public record View(
            ProjectHeader project,
            String schema,
            String schemaPath,
            String attributePath,
            String label,
            boolean isNew,
            List<Row> rows,
            List<String> colors,
            @Nullable String problem) {

        public View {
            rows = List.copyOf(rows);
            colors = List.copyOf(colors);
        }
    }

    private record Place(ProjectAccess access, RecordAccess recordAccess, SchemaAttribute attribute) {

        String schemaPath() {
            return RecordPaths.schema(
                    access.project().id(), recordAccess.schema().name());
        }

        String path() {
            return schemaPath() + "/schema/attributes/" + attribute.id();
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(OPTIONS, ctx -> {
            var place = place(ctx);
            show(ctx, place, rows(place), null);
        });
        routes.post(OPTIONS, this::save);
    }

    private Place place(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var recordAccess = context.schema(ctx, access);
        var name = ctx.pathParam("attribute");
        var attribute = recordAccess
                .attribute(name)
                .filter(each ->
                        each.type().element() == ValueType.TEXT && each.references() == null && !each.isPerson())
                .orElseThrow(() -> RecordsProblem.noAttribute(name));
        return new Place(access, recordAccess, attribute);
    }

    private List<Row> rows(Place place) {
        var counts = counts(place);
        var attribute = place.attribute();
        if (attribute.isSelect() || attribute.isMultiSelect()) {
            return attribute.choices().stream()
                    .map(each -> Row.of(each, counts.getOrDefault(each.value(), 0L)))
                    .toList();
        }
        return counts.entrySet().stream()
                .map(each -> Row.of(new SelectOption(each.getKey(), null, null), each.getValue()))
                .toList();
    }

    private Map<String, Long> counts(Place place) {
        return options.counts(place.access(), place.recordAccess().schema(), place.attribute());
    }

    private void save(Context ctx) {
        var place = place(ctx);
        var rows = moved(ctx, typed(ctx, counts(place)));
        var request = request(rows);
        try {
            options.change(
                    place.access(),
                    String.valueOf(place.recordAccess().schema().id()),
                    String.valueOf(place.attribute().id()),
                    request);
            shell.seeOther(ctx, place.path() + "/options", Text.of("records.options-saved"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, place.path() + "/options");
            refused(ctx, place, rows, refusal);
        }
    }

    private static List<Row> typed(Context ctx, Map<String, Long> counts) {
        var rows = new ArrayList<Row>();
        for (int i = 0; i < MAX_ROWS && ctx.formParam("o" + i + ".value") != null; i++) {
            var was = typed(ctx, i, "was");
            rows.add(new Row(
                    was,
                    typed(ctx, i, "value"),
                    typed(ctx, i, "title"),
                    typed(ctx, i, "color"),
                    counts.getOrDefault(was, 0L),
                    !typed(ctx, i, "remove").isEmpty(),
                    typed(ctx, i, "to"),
                    null));
        }
        return rows.stream().filter(row -> !row.isBlank()).toList();
    }

    private static String typed(Context ctx, int row, String part) {
        var value = ctx.formParam("o" + row + "." + part);
        return value == null ? "" : value.strip();
    }

    /** The button of a row moves it, and saves the rest as well. */
    private static List<Row> moved(Context ctx, List<Row> rows) {
        var moved = new ArrayList<>(rows);
        var up = ctx.formParam("up");
        var down = ctx.formParam("down");
        for (int i = 0; i < rows.size(); i++) {
            if (rows.get(i).was().equals(up) && i > 0) {
                Collections.swap(moved, i, i - 1);
            } else if (rows.get(i).was().equals(down) && i < rows.size() - 1) {
                Collections.swap(moved, i, i + 1);
            }
        }
        return moved;
    }

    private static OptionChanges.Request request(List<Row> rows) {
        var values = new HashMap<String, String>();
        rows.stream().filter(row -> !row.removed()).forEach(row -> values.put(row.was(), row.value()));
        var replacements = new LinkedHashMap<String, @Nullable String>();
        for (var row : rows) {
            if (row.was().isEmpty()) {
                continue;
            }
            if (!row.removed()) {
                if (!row.value().equals(row.was())) {
                    replacements.put(row.was(), row.value());
                }
            } else if (row.to().equals(NOTHING)) {
                replacements.put(row.was(), null);
            } else if (row.to().startsWith("=")) {
                // The option may have got another name in the same form.
                var to = row.to().substring(1);
                replacements.put(row.was(), values.getOrDefault(to, to));
            }
        }
        return new OptionChanges.Request(
                rows.stream()
                        .filter(row -> !row.removed())
                        .map(row -> new SelectOption(row.value(), row.title(), row.color()))
                        .toList(),
                replacements);
    }

    private void refused(Context ctx, Place place, List<Row> rows, Problem refusal) {
        var reader = readers.reader(ctx);
        var shown = new ArrayList<>(rows);
        var others = new ArrayList<String>();
        for (var fault : refusal.fields()) {
            int at = row(rows, fault.field());
            if (at < 0) {
                others.add(reader.sentence(fault.message()));
            } else {
                shown.set(at, shown.get(at).withError(reader.sentence(fault.message())));
            }
        }
        var problem = others.isEmpty() ? reader.text(refusal.detail()) : String.join(" ", others);
        show(ctx, place, shown, problem);
    }

    /** The row of a field such as {@code options[2].value}; -1 for none. */
    private static int row(List<Row> rows, String field) {
        int end = field.indexOf(']');
        if (!field.startsWith("options[") || end < 0) {
            return -1;
        }
        int place = Integer.parseInt(field.substring("options[".length(), end));
        for (int i = 0; i < rows.size(); i++) {
            if (!rows.get(i).removed() && place-- == 0) {
                return i;
            }
        }
        return -1;
    }

    private void show(Context ctx, Place place, List<Row> rows, @Nullable String problem) {
        var shown = new ArrayList<>(rows);
        for (int i = 0; i < BLANK; i++) {
            shown.add(Row.of(new SelectOption("", null, null), 0));
        }
        Reader reader = readers.reader(ctx);
        var view = new View(
                ProjectHeader.of(place.access()),
                place.recordAccess().schema().label(),
                place.schemaPath(),
                place.path(),
                place.attribute().label(),
                !place.attribute().isSelect() && !place.attribute().isMultiSelect(),
                shown,
                SelectOption.COLORS,
                problem);
        var title =
                Text.of("records.options-title", "attribute", place.attribute().label());
        shell.page(ctx, Text.verbatim(reader.text(title)), "records/options", Map.of("view", view));
    }
}
