package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.SagaQueries;
import io.hiroba.saga.SagaQueries.Total;
import io.hiroba.saga.SagaRole;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.pages.WorkflowPages.WorkflowRow;
import io.hiroba.saga.workflow.Workflow;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The page of the versions of a workflow: who registered them and when, the sagas on each, and what differs between two. */
public final class WorkflowVersionPages implements Routes {

    private final Shell shell;
    private final Readers readers;
    private final Workflows workflows;
    private final SagaQueries queries;
    private final KeysetList<WorkflowVersion, Integer> list;

    WorkflowVersionPages(Shell shell, Readers readers, Workflows workflows, SagaQueries queries, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.workflows = workflows;
        this.queries = queries;
        list = new KeysetList<>(
                cursors,
                "pages.workflow-versions",
                50,
                100,
                cursor -> (int) cursor.number(0),
                last -> Cursor.of(Integer.toString(last.version())));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/workflows/{name}/versions", this::show);
    }

    static String path(String name) {
        return WorkflowPages.path(name) + "/versions";
    }

    /**
     * A version.
     *
     * @param by who registered it
     * @param counts its sagas that have not ended, in words
     */
    public record VersionRow(WorkflowRow version, Text by, List<Text> counts) {

        public VersionRow {
            counts = List.copyOf(counts);
        }
    }

    /**
     * The versions of a workflow, and two of them compared.
     *
     * @param from the older of both; 0 where there is only one version
     * @param diff null where there is only one version
     * @param mayMigrate whether the reader may move sagas of older versions, if there are some
     */
    public record VersionList(
            String name,
            List<VersionRow> rows,
            int newest,
            int from,
            int to,
            @Nullable DefinitionDiff diff,
            String more,
            boolean mayMigrate) {

        public VersionList {
            rows = List.copyOf(rows);
        }
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var name = ctx.pathParam("name");
        var reader = readers.reader(ctx);
        var page = list.page(ctx, (before, limit) -> workflows.versions(caller, name, before, limit));
        var newest = workflows.one(caller, name, Optional.empty());
        int last = newest.version().version();
        int to = number(ctx, "to", last);
        int from = number(ctx, "from", Math.max(0, to - 1));
        var names = queries.nicknames(
                page.items().stream().map(WorkflowVersion::createdBy).toList());
        var active = queries.active(caller, name);
        var rows = page.items().stream()
                .map(each -> new VersionRow(
                        WorkflowRow.of(each, reader),
                        by(each.createdBy(), names),
                        counts(active.getOrDefault(each.version(), Map.of()))))
                .toList();
        var next = page.next();
        var role = queries.roles().of(caller);
        var versions = new VersionList(
                name,
                rows,
                last,
                from,
                to,
                from == 0 ? null : DefinitionDiff.of(text(caller, name, from), text(caller, name, to)),
                next == null ? "" : path(name) + "?after=" + next,
                !Workflow.isBuiltIn(name)
                        && (role == SagaRole.OPERATOR || role == SagaRole.ADMIN)
                        && active.keySet().stream().anyMatch(version -> version < last));
        shell.page(
                ctx, Text.of("saga.versions.title", "workflow", name), "saga/versions", Map.of("versions", versions));
    }

    private String text(Caller caller, String name, int version) {
        return workflows.one(caller, name, Optional.of(version)).definition();
    }

    /** A malformed number means a version that does not exist. */
    private static int number(Context ctx, String parameter, int otherwise) {
        var text = ctx.queryParam(parameter);
        if (text == null || text.isEmpty()) {
            return otherwise;
        }
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : Integer.MAX_VALUE;
    }

    private static Text by(String by, Map<String, String> names) {
        return switch (by) {
            case "hiroba" -> Text.of("saga.versions.built-in");
            case "folder" -> Text.of("saga.versions.folder");
            default ->
                names.containsKey(by)
                        ? Text.verbatim(String.valueOf(names.get(by)))
                        : Text.of("saga.approval.deleted-account");
        };
    }

    private static List<Text> counts(Map<SagaStatus, Total> totals) {
        return totals.entrySet().stream()
                .map(entry -> {
                    var status = Text.of("saga.status." + entry.getKey().name().toLowerCase(Locale.ROOT));
                    var key = entry.getValue().more() ? "saga.list.status-more" : "saga.list.status-total";
                    return Text.of(
                            key, "status", status, "count", entry.getValue().count());
                })
                .toList();
    }
}
