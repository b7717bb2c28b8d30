package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.SagaFilter;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaQueries;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All sagas, newest first, and those that somebody looks for. */
public final class SagaListPages implements Routes {

    private static final int PAGE = 30;
    private static final int MOST = 100;
    private static final int MOST_WORKFLOWS = 200;
    private static final String LIST = "pages.sagas";

    private final Shell shell;
    private final Times times;
    private final SagaQueries queries;
    private final Workflows workflows;
    private final Cursors cursors;

    public SagaListPages(Shell shell, Times times, SagaQueries queries, Workflows workflows, Cursors cursors) {
        this.shell = shell;
        this.times = times;
        this.queries = queries;
        this.workflows = workflows;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/sagas", this::show);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var filter = filter(ctx);
        var request = PageRequest.of(ctx, PAGE, MOST);
        var after = cursors.read(LIST, request).map(cursor -> SagaId.parse(cursor.text(0)));
        // One more than is shown tells whether there is another page.
        var found = queries.list(caller, filter, after, request.limit() + 1);
        var shown = found.subList(0, Math.min(found.size(), request.limit()));
        var more = found.size() > shown.size()
                ? more(
                        filter,
                        cursors.write(LIST, Cursor.of(shown.getLast().id().toString())))
                : null;
        var when = times.of(ctx);
        // The list itself is asked for again and again while somebody looks at it.
        boolean alone = HtmxRequest.isAskedFor(ctx);
        var names = alone ? List.<String>of() : names(caller);
        var list = new SagaList(
                text(filter.workflowName()),
                filter.status() == null ? "" : filter.status().name(),
                text(filter.correlationId()),
                filter.stuck(),
                names,
                shown.stream().map(saga -> SagaItem.of(saga, when)).toList(),
                after.isEmpty(),
                more);
        shell.page(ctx, "Sagas", alone ? "saga/items" : "saga/list", Map.of("list", list));
    }

    private List<String> names(Caller caller) {
        return workflows.list(caller, Optional.empty(), MOST_WORKFLOWS).stream()
                .map(WorkflowVersion::name)
                .toList();
    }

    /** What a form sends for what does not matter is empty. */
    private static SagaFilter filter(Context ctx) {
        return new SagaFilter(
                given(ctx, "workflow"),
                Optional.ofNullable(given(ctx, "status"))
                        .map(SagaListPages::status)
                        .orElse(null),
                given(ctx, "correlationId"),
                Boolean.parseBoolean(ctx.queryParam("stuck")));
    }

    private static SagaStatus status(String name) {
        return Arrays.stream(SagaStatus.values())
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> HttpProblem.invalid("status", "is none that a saga can have"));
    }

    private static @Nullable String given(Context ctx, String name) {
        return Optional.ofNullable(ctx.queryParam(name))
                .map(String::strip)
                .filter(text -> !text.isEmpty() && text.indexOf('\0') < 0)
                .orElse(null);
    }

    private static String more(SagaFilter filter, String after) {
        var status = filter.status();
        var query = List.of(
                parameter("workflow", filter.workflowName()),
                parameter("status", status == null ? null : status.name()),
                parameter("correlationId", filter.correlationId()),
                filter.stuck() ? "stuck=true&" : "");
        return "/sagas?" + String.join("", query) + "after=" + after;
    }

    private static String parameter(String name, @Nullable String value) {
        return value == null ? "" : name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8) + "&";
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
