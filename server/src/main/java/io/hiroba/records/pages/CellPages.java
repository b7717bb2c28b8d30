package io.hiroba.records.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.AssetUrls;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Access;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.data.Documents;
import io.hiroba.records.data.History;
import io.hiroba.records.data.HistoryEntry;
import io.hiroba.records.data.RecordView;
import io.hiroba.records.data.Records;
import io.hiroba.records.schema.Attribute;
import io.hiroba.records.schema.Sight;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Changes where the grid is: one value typed in its cell, a line deleted and had back. */
public final class CellPages implements Routes {

    private static final String CELL = Paths.RECORD + "/cell/{attribute}";

    private final Shell shell;
    private final AssetUrls assets;
    private final Times times;
    private final Entrance entrance;
    private final Titles titles;
    private final Records records;
    private final History history;

    public CellPages(
            Shell shell,
            AssetUrls assets,
            Times times,
            Entrance entrance,
            Titles titles,
            Records records,
            History history) {
        this.shell = shell;
        this.assets = assets;
        this.times = times;
        this.entrance = entrance;
        this.titles = titles;
        this.records = records;
        this.history = history;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(CELL, this::look);
        routes.post(CELL, this::save);
        routes.post(Paths.RECORD + "/delete", this::delete);
        routes.post(Paths.RECORD + "/restore", this::restore);
    }

    private record Place(Access access, Sight sight, Attribute attribute, RecordView record) {

        String path() {
            return Paths.schema(access.project().id(), sight.schema().name()) + "/" + record.id();
        }
    }

    private Place place(Context ctx) {
        var access = entrance.project(ctx).requireEditor();
        var sight = entrance.schema(ctx, access);
        var attribute = sight.attribute(ctx.pathParam("attribute"))
                .filter(sight::mayWrite)
                .orElseThrow(RecordsProblem::noRecord);
        return new Place(
                access, sight, attribute, records.get(access, sight.schema().name(), Entrance.row(ctx)));
    }

    private void look(Context ctx) {
        var place = place(ctx);
        if (ctx.queryParam("shown") != null) {
            shown(ctx, place, place.record());
        } else {
            editor(ctx, place, form(ctx, place), null);
        }
    }

    private void save(Context ctx) {
        var place = place(ctx);
        var form = form(ctx, place).read(ctx);
        var all = form.changes(place.record());
        var value = all.get(place.attribute().name());
        if (form.hasErrors()) {
            ctx.status(422);
            editor(ctx, place, form, null);
            return;
        }
        int version = RecordPages.version(ctx, place.record());
        try {
            if (version != place.record().version()) {
                throw RecordsProblem.otherVersion(place.record().version());
            }
            var record = value == null
                    ? place.record()
                    : records.patch(
                            place.access(),
                            place.sight().schema().name(),
                            Entrance.row(ctx),
                            Documents.exact()
                                    .createObjectNode()
                                    .set(place.attribute().name(), value),
                            version);
            answer(ctx, place, record);
        } catch (Problem refusal) {
            if (!Entrance.belongsToForm(refusal)) {
                throw refusal;
            }
            refused(ctx, place, form, refusal);
        }
    }

    private void answer(Context ctx, Place place, RecordView record) {
        if (HtmxRequest.isAskedFor(ctx)) {
            shown(ctx, place, record);
        } else {
            shell.seeOther(ctx, place.path(), "Saved.");
        }
    }

    private void refused(Context ctx, Place place, RecordForm form, Problem refusal) {
        if (refusal.kind() != Problem.Kind.PRECONDITION_FAILED) {
            ctx.status(422);
            editor(ctx, place, form.refused(refusal), null);
            return;
        }
        ctx.status(412);
        var newer = place(ctx);
        var now = cell(ctx, newer, newer.record());
        editor(
                ctx,
                newer,
                form,
                "Changed in the meantime, it is %s now. Enter writes yours over it, Esc leaves it."
                        .formatted(now.text().isEmpty() ? "empty" : "“" + now.text() + "”"));
    }

    private void editor(Context ctx, Place place, RecordForm form, @Nullable String conflict) {
        var problem = form.problem();
        var field = form.field(place.attribute(), place.record());
        var parameters = new HashMap<String, Object>();
        parameters.put("field", problem == null ? field : field.withError(problem));
        parameters.put("action", place.path() + "/cell/" + place.attribute().name());
        parameters.put(
                "choices",
                Paths.schema(
                                place.access().project().id(),
                                place.sight().schema().name()) + "/choices/"
                        + place.attribute().name());
        parameters.put("version", place.record().version());
        if (conflict != null) {
            parameters.put("conflict", conflict);
        }
        shell.fragment(ctx, "records/cell-editor", parameters);
    }

    private void shown(Context ctx, Place place, RecordView record) {
        shell.fragment(
                ctx, "records/cell", Map.of("assets", assets, "cell", cell(ctx, place, record), "mayEdit", true));
    }

    private Cell cell(Context ctx, Place place, RecordView record) {
        var attribute = place.attribute();
        var value = record.values().get(attribute.name());
        return attribute.references() == null
                ? new Cells(times.moments(ctx)).of(attribute, value)
                : titles.cell(place.access(), attribute, value);
    }

    private RecordForm form(Context ctx, Place place) {
        return new RecordForm(place.access(), place.sight(), titles, times.moments(ctx));
    }

    private void delete(Context ctx) {
        var access = entrance.project(ctx).requireEditor();
        var sight = entrance.schema(ctx, access);
        var row = Entrance.row(ctx);
        var path = Paths.schema(access.project().id(), sight.schema().name());
        try {
            records.delete(access, sight.schema().name(), row, null);
        } catch (Problem refusal) {
            if (refusal.kind() != Problem.Kind.CONFLICT || HtmxRequest.isAskedFor(ctx)) {
                throw refusal;
            }
            shell.seeOther(ctx, path + "/" + row, refusal.detail());
            return;
        }
        if (HtmxRequest.isAskedFor(ctx)) {
            var request = GridRequest.of(ctx, GridPages.attributes(sight), times.moments(ctx));
            shell.fragment(
                    ctx,
                    "records/gone",
                    Map.of(
                            "path",
                            path + "/" + row,
                            "query",
                            request.query(),
                            "width",
                            columns(sight, request).size() + 2));
        } else {
            shell.seeOther(ctx, path + "?deleted=" + row);
        }
    }

    private void restore(Context ctx) {
        var access = entrance.project(ctx).requireEditor();
        var sight = entrance.schema(ctx, access);
        var row = Entrance.row(ctx);
        var name = sight.schema().name();
        var last = history.page(access, name, row, Integer.MAX_VALUE, 1).getFirst();
        var record = last.act() == HistoryEntry.Act.DELETED
                ? history.restore(access, name, row, last.version() - 1, last.version())
                : records.get(access, name, row);
        if (!HtmxRequest.isAskedFor(ctx)) {
            shell.seeOther(
                    ctx, Paths.record(access.project().id(), sight.schema().name(), row), "The record is back.");
            return;
        }
        var request = GridRequest.of(ctx, GridPages.attributes(sight), times.moments(ctx));
        var columns = columns(sight, request);
        var line = new Lines(access, sight, entrance, titles, times.moments(ctx)).of(record, columns);
        shell.fragment(
                ctx, "records/row", Map.of("assets", assets, "line", line, "grid", Grid.frame(access, sight, request)));
    }

    private static List<Attribute> columns(Sight sight, GridRequest request) {
        return sight.shown().stream()
                .filter(each -> request.columns().isEmpty() || request.columns().contains(each.name()))
                .toList();
    }
}
