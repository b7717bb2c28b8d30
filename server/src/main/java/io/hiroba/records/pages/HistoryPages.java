package io.hiroba.records.pages;

import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.HistoryEntry;
import io.hiroba.records.HistoryEntry.Operation;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordAccess;
import io.hiroba.records.RecordHistory;
import io.hiroba.records.RecordNames;
import io.hiroba.records.RowId;
import io.hiroba.records.SchemaAttribute;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The history of a record and restoring. */
public final class HistoryPages implements Routes {

    private static final int PAGE = 30;

    private final Shell shell;
    private final Readers readers;
    private final PageContext context;
    private final RecordTitles titles;
    private final RecordHistory history;
    private final Users users;

    HistoryPages(
            Shell shell,
            Readers readers,
            PageContext context,
            RecordTitles titles,
            RecordHistory history,
            Users users) {
        this.shell = shell;
        this.readers = readers;
        this.context = context;
        this.titles = titles;
        this.history = history;
        this.users = users;
    }

    /**
     * The history of a record, the newest first.
     *
     * @param more the path of older changes, if any
     */
    public record View(
            ProjectHeader project,
            String schema,
            String schemaPath,
            String path,
            String title,
            List<Change> changes,
            @Nullable String more) {

        public View {
            changes = List.copyOf(changes);
        }

        /**
         * A change.
         *
         * @param by the nickname of its author; empty for a deleted account
         * @param did the kind of change
         * @param restore the path that restores this version; empty for the current one
         */
        public record Change(
                int version,
                @Nullable String by,
                String byId,
                String did,
                String when,
                String exact,
                boolean isMaking,
                List<Difference> differences,
                @Nullable String restore) {

            public Change {
                differences = List.copyOf(differences);
            }
        }

        /** A changed attribute. */
        public record Difference(String attribute, String from, String to) {}
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.RECORD + "/history", this::show);
        routes.post(RecordPaths.RECORD + "/history/{version}/restore", this::restore);
    }

    private void restore(Context ctx) {
        var access = context.project(ctx).requireEditor();
        var recordAccess = context.schema(ctx, access);
        var row = PageContext.row(ctx);
        var path =
                RecordPaths.record(access.project().id(), recordAccess.schema().name(), row);
        try {
            history.restore(access, recordAccess.schema().name(), row, number(ctx.pathParam("version"), 0), null);
            shell.seeOther(ctx, path, Text.of("records.record-restored"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.seeOther(ctx, path + "/history", Text.of("records.restore-failed", "reason", refusal.detail()));
        }
    }

    private void show(Context ctx) {
        var access = context.project(ctx);
        var recordAccess = context.schema(ctx, access);
        var row = PageContext.row(ctx);
        int before = number(ctx.queryParam("before"), Integer.MAX_VALUE);
        // One more than shown, to know whether there is another page.
        var found = history.page(access, recordAccess.schema().name(), row, before, PAGE + 1);
        var shown = found.subList(0, Math.min(found.size(), PAGE));
        var path =
                RecordPaths.record(access.project().id(), recordAccess.schema().name(), row);
        var view = new View(
                ProjectHeader.of(access),
                recordAccess.schema().label(),
                RecordPaths.schema(access.project().id(), recordAccess.schema().name()),
                path,
                title(recordAccess, row, shown),
                changes(ctx, access, recordAccess, path, shown, before == Integer.MAX_VALUE),
                found.size() > shown.size()
                        ? path + "/history?before=" + shown.getLast().version()
                        : null);
        shell.page(ctx, Text.of("records.record-history"), "records/history", Map.of("view", view));
    }

    private List<View.Change> changes(
            Context ctx,
            ProjectAccess access,
            RecordAccess recordAccess,
            String path,
            List<HistoryEntry> entries,
            boolean fromTheTop) {
        var names = new HashMap<UserId, Optional<String>>();
        var reader = readers.reader(ctx);
        return entries.stream()
                .map(entry -> {
                    var by = names.computeIfAbsent(
                            entry.by(),
                            user -> users.find(user)
                                    .map(found -> found.user().nickname().value()));
                    boolean isNow = fromTheTop && entry.equals(entries.getFirst());
                    boolean mayRestore =
                            ProjectHeader.of(access).mayEdit() && entry.operation() != Operation.DELETED && !isNow;
                    return new View.Change(
                            entry.version(),
                            by.orElse(null),
                            entry.by().hex(),
                            entry.operation().name().toLowerCase(Locale.ROOT),
                            reader.ago(entry.at()),
                            reader.exact(entry.at()),
                            entry.operation() == Operation.CREATED,
                            entry.changes().stream()
                                    .map(delta -> difference(ctx, access, recordAccess, delta))
                                    .toList(),
                            mayRestore ? path + "/history/" + entry.version() + "/restore" : null);
                })
                .toList();
    }

    private View.Difference difference(
            Context ctx, ProjectAccess access, RecordAccess recordAccess, HistoryEntry.Delta delta) {
        return new View.Difference(
                recordAccess
                        .attribute(delta.attribute())
                        .map(SchemaAttribute::label)
                        .orElse(delta.attribute()),
                text(ctx, access, recordAccess, delta.attribute(), delta.from()),
                text(ctx, access, recordAccess, delta.attribute(), delta.to()));
    }

    private String text(Context ctx, ProjectAccess access, RecordAccess recordAccess, String name, JsonNode value) {
        var attribute = recordAccess.attribute(name).orElse(null);
        if (attribute == null || value.isNull() || value.isMissingNode()) {
            return readers.reader(ctx).text("records.nothing");
        }
        var cell = attribute.references() == null
                ? new CellFormatter(readers.reader(ctx), context::person).of(attribute, value)
                : titles.cell(access, attribute, value);
        return cell.text();
    }

    /** The last title, from the changes. */
    private static String title(RecordAccess recordAccess, RowId row, List<HistoryEntry> entries) {
        return RecordNames.title(recordAccess)
                .flatMap(attribute -> entries.stream()
                        .filter(entry -> entry.operation() != Operation.DELETED)
                        .flatMap(entry -> entry.changes().stream())
                        .filter(delta -> delta.attribute().equals(attribute.name())
                                && delta.to().isString())
                        .map(delta -> CellFormatter.cut(delta.to().stringValue()))
                        .findFirst())
                .filter(text -> !text.isBlank())
                .orElseGet(() -> recordAccess.schema().label() + " " + RecordTitles.shortened(row.toString()));
    }

    private static int number(@Nullable String text, int otherwise) {
        return text != null && text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : otherwise;
    }
}
