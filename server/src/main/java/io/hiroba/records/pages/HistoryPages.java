package io.hiroba.records.pages;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Access;
import io.hiroba.records.data.History;
import io.hiroba.records.data.HistoryEntry;
import io.hiroba.records.data.HistoryEntry.Act;
import io.hiroba.records.data.RowId;
import io.hiroba.records.schema.Sight;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Who changed what of a record, from what to what, and the way back. */
public final class HistoryPages implements Routes {

    private static final int PAGE = 30;

    private final Shell shell;
    private final Times times;
    private final Entrance entrance;
    private final Titles titles;
    private final History history;
    private final Users users;

    public HistoryPages(Shell shell, Times times, Entrance entrance, Titles titles, History history, Users users) {
        this.shell = shell;
        this.times = times;
        this.entrance = entrance;
        this.titles = titles;
        this.history = history;
        this.users = users;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.RECORD + "/history", this::show);
        routes.post(Paths.RECORD + "/history/{version}/restore", this::restore);
    }

    private void restore(Context ctx) {
        var access = entrance.project(ctx).requireEditor();
        var sight = entrance.schema(ctx, access);
        var row = Entrance.row(ctx);
        var path = Paths.record(access.project().id(), sight.schema().name(), row);
        try {
            history.restore(access, sight.schema().name(), row, number(ctx.pathParam("version"), 0), null);
            shell.seeOther(ctx, path, "The record is as it was.");
        } catch (Problem refusal) {
            if (!Entrance.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.seeOther(ctx, path + "/history", "It cannot be had back: " + refusal.detail());
        }
    }

    private void show(Context ctx) {
        var access = entrance.project(ctx);
        var sight = entrance.schema(ctx, access);
        var row = Entrance.row(ctx);
        int before = number(ctx.queryParam("before"), Integer.MAX_VALUE);
        // One more than is shown tells whether there is another page.
        var found = history.page(access, sight.schema().name(), row, before, PAGE + 1);
        var shown = found.subList(0, Math.min(found.size(), PAGE));
        var path = Paths.record(access.project().id(), sight.schema().name(), row);
        var sheet = new HistorySheet(
                ProjectHead.of(access),
                sight.schema().name(),
                Paths.schema(access.project().id(), sight.schema().name()),
                path,
                title(sight, row, shown),
                changes(ctx, access, sight, path, shown, before == Integer.MAX_VALUE),
                found.size() > shown.size()
                        ? path + "/history?before=" + shown.getLast().version()
                        : null);
        shell.page(ctx, "History", "records/history", Map.of("sheet", sheet));
    }

    private List<HistorySheet.Change> changes(
            Context ctx, Access access, Sight sight, String path, List<HistoryEntry> entries, boolean fromTheTop) {
        var names = new HashMap<UserId, Optional<String>>();
        var when = times.when(ctx);
        return entries.stream()
                .map(entry -> {
                    var by = names.computeIfAbsent(
                            entry.by(),
                            user -> users.find(user)
                                    .map(found -> found.user().nickname().value()));
                    boolean isNow = fromTheTop && entry.equals(entries.getFirst());
                    boolean mayRestore = ProjectHead.of(access).mayEdit() && entry.act() != Act.DELETED && !isNow;
                    return new HistorySheet.Change(
                            entry.version(),
                            by.orElse(null),
                            entry.by().hex(),
                            did(entry.act()),
                            when.ago(entry.at()),
                            when.exact(entry.at()),
                            entry.act() == Act.CREATED,
                            entry.changes().stream()
                                    .map(delta -> difference(ctx, access, sight, delta))
                                    .toList(),
                            mayRestore ? path + "/history/" + entry.version() + "/restore" : null);
                })
                .toList();
    }

    private HistorySheet.Difference difference(Context ctx, Access access, Sight sight, HistoryEntry.Delta delta) {
        return new HistorySheet.Difference(
                delta.attribute(),
                text(ctx, access, sight, delta.attribute(), delta.from()),
                text(ctx, access, sight, delta.attribute(), delta.to()));
    }

    private String text(Context ctx, Access access, Sight sight, String name, JsonNode value) {
        var attribute = sight.attribute(name).orElse(null);
        if (attribute == null || value.isNull() || value.isMissingNode()) {
            return "nothing";
        }
        var cell = attribute.references() == null
                ? new Cells(times.moments(ctx)).of(attribute, value)
                : titles.cell(access, attribute, value);
        return cell.text();
    }

    private static String did(Act act) {
        return switch (act) {
            case CREATED -> "made it";
            case CHANGED -> "changed it";
            case DELETED -> "deleted it";
            case RESTORED -> "brought it back";
        };
    }

    /** What it was called last, as far as the changes tell. */
    private static String title(Sight sight, RowId row, List<HistoryEntry> entries) {
        return Titles.attribute(sight)
                .flatMap(attribute -> entries.stream()
                        .filter(entry -> entry.act() != Act.DELETED)
                        .flatMap(entry -> entry.changes().stream())
                        .filter(delta -> delta.attribute().equals(attribute.name())
                                && delta.to().isString())
                        .map(delta -> Cells.cut(delta.to().stringValue()))
                        .findFirst())
                .filter(text -> !text.isBlank())
                .orElseGet(() -> sight.schema().name() + " " + Titles.shortened(row.toString()));
    }

    private static int number(@Nullable String text, int otherwise) {
        return text != null && text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : otherwise;
    }
}
