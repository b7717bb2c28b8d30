package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.AttributeFilter;
import io.hiroba.saga.DurationText;
import io.hiroba.saga.Saga;
import io.hiroba.saga.SagaFilter;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaQueries;
import io.hiroba.saga.SagaRole;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.SagaStatus;
import io.hiroba.saga.SavedFilters.SavedFilter;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The page that lists sagas, newest first, and filters them. */
public final class SagaListPages implements Routes {

    private static final String FILTERS = "/sagas/filters";

    /** The id of the part of the page that a change of the filter replaces. */
    private static final String LIST_ID = "sagas";

    private static final int PAGE_SIZE = 30;
    private static final int MAX_PAGE_SIZE = 100;
    private static final int MAX_WORKFLOWS = 200;
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");

    private final Shell shell;
    private final Readers readers;
    private final SagaQueries queries;
    private final Workflows workflows;
    private final SagaRoles roles;
    private final KeysetList<Saga, SagaId> sagas;

    SagaListPages(
            Shell shell, Readers readers, SagaQueries queries, Workflows workflows, SagaRoles roles, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.queries = queries;
        this.workflows = workflows;
        this.roles = roles;
        sagas = new KeysetList<>(
                cursors,
                "pages.sagas",
                cursor -> SagaId.parse(cursor.text(0)),
                last -> Cursor.of(last.id().toString()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/sagas", ctx -> show(ctx, Form.EMPTY));
        routes.post(FILTERS, this::save);
        routes.post(FILTERS + "/delete", this::delete);
    }

    /** The filter is that of the address, and its name is typed. */
    private void save(Context ctx) {
        var form = Form.of(ctx, "name");
        var query = query(ctx, filter(ctx, readers.reader(ctx)));
        try {
            queries.saved()
                    .save(Caller.of(ctx), new SavedFilter(form.value("name").strip(), query));
            shell.seeOther(ctx, "/sagas?" + query, Text.of("saga.list.saved-notice"));
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, "/sagas?" + query);
            show(ctx, form.refused(refusal));
        }
    }

    private void delete(Context ctx) {
        queries.saved().delete(Caller.of(ctx), String.valueOf(ctx.formParam("name")));
        shell.seeOther(ctx, "/sagas", Text.of("saga.list.deleted-notice"));
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var reader = readers.reader(ctx);
        var filter = filter(ctx, reader);
        var request = PageRequest.of(ctx, PAGE_SIZE, MAX_PAGE_SIZE);
        Text problem = null;
        String bulk = null;
        boolean isOperator = false;
        var page = new Page<Saga>(List.of(), null);
        var totals = TotalTabs.NONE;
        // Open pages poll the list alone, mostly without its totals.
        boolean fragment = HtmxRequest.isFragment(ctx);
        boolean isFiltering = fragment && LIST_ID.equals(ctx.header("HX-Target"));
        try {
            var whole = filter.withAttributes(AttributeFilter.parse(ctx.queryParams("attribute")));
            page = sagas.page(request, (after, limit) -> queries.list(caller, whole, after, limit));
            isOperator = isOperator(caller);
            bulk = isOperator ? BulkPages.link(ctx, whole) : null;
            if (!fragment || isFiltering) {
                totals = TotalTabs.of(queries.totals(caller, whole), filter, narrowed -> query(ctx, narrowed), reader);
            }
        } catch (SagaProblem e) {
            if (e.kind() != Problem.Kind.INVALID) {
                throw e;
            }
            problem = e.detail();
        }
        var next = page.next();
        var list = new SagaList(
                text(filter.workflowName()),
                filter.waiting()
                        ? SagaFilter.WAITING
                        : filter.status() == null ? "" : filter.status().name(),
                text(filter.correlationId()),
                filter.stuck(),
                text(given(ctx, "attribute")),
                problem,
                text(schedule(filter)),
                text(parent(filter)),
                fragment ? List.of() : workflowNames(caller),
                page.items().stream().map(saga -> SagaRow.of(saga, reader)).toList(),
                request.after().isEmpty(),
                next == null ? null : nextPage(ctx, filter, next),
                date(ctx, "from"),
                date(ctx, "to"),
                totals.statuses(),
                totals.workflows(),
                bulk,
                isOperator,
                isFiltering,
                query(ctx, filter),
                fragment ? List.of() : queries.saved().list(caller));
        shell.page(
                ctx,
                Text.of("saga.list.title"),
                fragment ? "saga/items" : "saga/list",
                Map.of("list", list, "form", form));
    }

    private boolean isOperator(Caller caller) {
        var role = roles.of(caller);
        return role == SagaRole.OPERATOR || role == SagaRole.ADMIN;
    }

    private List<String> workflowNames(Caller caller) {
        return workflows.list(caller, Optional.empty(), MAX_WORKFLOWS).stream()
                .map(WorkflowVersion::name)
                .toList();
    }

    /** An empty field of the form does not filter. */
    static SagaFilter filter(Context ctx, Reader reader) {
        boolean waiting = SagaFilter.WAITING.equals(given(ctx, "status"));
        return new SagaFilter(
                given(ctx, "workflow"),
                Optional.ofNullable(given(ctx, "status"))
                        .filter(_ -> !waiting)
                        .map(SagaListPages::status)
                        .orElse(null),
                given(ctx, "correlationId"),
                Boolean.parseBoolean(ctx.queryParam("stuck")),
                waiting,
                start(date(ctx, "from"), 0, reader),
                start(date(ctx, "to"), 1, reader),
                Optional.ofNullable(given(ctx, "schedule")).map(Ids::parse).orElse(null),
                Optional.ofNullable(given(ctx, "parent")).map(SagaId::parse).orElse(null),
                List.of());
    }

    /** A day of the form; empty if there is none. */
    private static String date(Context ctx, String name) {
        var text = given(ctx, name);
        return text != null && DATE.matcher(text).matches() ? text : "";
    }

    /** The beginning of a day, or of the one after it, where the reader is. */
    private static @Nullable Instant start(String date, int plusDays, Reader reader) {
        try {
            return date.isEmpty()
                    ? null
                    : LocalDate.parse(date)
                            .plusDays(plusDays)
                            .atStartOfDay(reader.zone())
                            .toInstant();
        } catch (DateTimeParseException e) {
            return null;
        }
    }

    private static SagaStatus status(String name) {
        return Arrays.stream(SagaStatus.values())
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> HttpProblem.invalid("status", Text.of("saga.field.status")));
    }

    private static @Nullable String given(Context ctx, String name) {
        return Optional.ofNullable(ctx.queryParam(name))
                .map(String::strip)
                .filter(text -> !text.isEmpty() && text.indexOf('\0') < 0)
                .orElse(null);
    }

    private static String nextPage(Context ctx, SagaFilter filter, String after) {
        return "/sagas?" + query(ctx, filter) + "after=" + after;
    }

    /** The parameters of a filter, each with an ampersand after it. */
    static String query(Context ctx, SagaFilter filter) {
        var status = filter.status();
        var query = List.of(
                parameter("workflow", filter.workflowName()),
                parameter("status", filter.waiting() ? SagaFilter.WAITING : status == null ? null : status.name()),
                parameter("correlationId", filter.correlationId()),
                parameter("from", given(ctx, "from")),
                parameter("to", given(ctx, "to")),
                parameter("attribute", given(ctx, "attribute")),
                filter.stuck() ? "stuck=true&" : "",
                parameter("schedule", schedule(filter)),
                parameter("parent", parent(filter)));
        return String.join("", query);
    }

    private static @Nullable String schedule(SagaFilter filter) {
        return filter.schedule() == null ? null : Ids.hex(filter.schedule());
    }

    private static @Nullable String parent(SagaFilter filter) {
        return filter.parent() == null ? null : filter.parent().toString();
    }

    private static String parameter(String name, @Nullable String value) {
        return value == null ? "" : name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8) + "&";
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }

    /**
     * A row of the list.
     *
     * @param started how long ago that was
     * @param exact when exactly
     * @param took how long it took, or has taken
     */
    public record SagaRow(
            String id,
            String workflow,
            int version,
            StatusLabel status,
            @Nullable String correlationId,
            @Nullable Text error,
            String started,
            String exact,
            String took) {

        static SagaRow of(Saga saga, Reader reader) {
            var until = saga.status().isTerminal() ? saga.updatedAt() : reader.now();
            return new SagaRow(
                    saga.id().toString(),
                    saga.workflowName(),
                    saga.workflowVersion(),
                    StatusLabel.of(saga),
                    saga.correlationId(),
                    saga.errorMessage(),
                    reader.ago(saga.createdAt()),
                    reader.exact(saga.createdAt()),
                    reader.text(DurationText.text(Duration.between(saga.createdAt(), until))));
        }
    }

    /**
     * A link with a number.
     *
     * @param count with a plus sign where there are more; null where nothing is counted
     */
    public record Tab(Text label, @Nullable String count, String address, boolean isCurrent) {

        /** The value of {@code aria-current} of the link. */
        public @Nullable String current() {
            return isCurrent ? "true" : null;
        }
    }

    /**
     * A page of the list with its filter.
     *
     * @param status the name of one; empty for any
     * @param attribute a condition on a search attribute as it was typed; empty for none
     * @param problem what is wrong with that condition, if anything is
     * @param schedule the id of the schedule that started them; empty for all sagas
     * @param parent the id of the saga that started them; empty for all sagas
     * @param workflows those that there are to choose from
     * @param isBeginning whether it begins with the newest
     * @param more where older ones are, if there are any
     * @param from the first day; empty for any
     * @param to the last day; empty for any
     * @param bulk where all of them are acted on; null where the reader cannot, or the filter is too wide
     * @param isOperator whether the reader could act on them, if the filter were one for that
     * @param isFiltering whether the filter was changed on the page, which is shown in its place then
     * @param query the filter as it stands in the address
     * @param saved the filters that the reader has saved; empty where only the items are shown
     * @param statusTabs any status, and those that there are sagas of; empty where only the items are shown
     * @param workflowTabs those with the most sagas; empty where only the items are shown
     */
    public record SagaList(
            String workflow,
            String status,
            String correlationId,
            boolean stuck,
            String attribute,
            @Nullable Text problem,
            String schedule,
            String parent,
            List<String> workflows,
            List<SagaRow> items,
            boolean isBeginning,
            @Nullable String more,
            String from,
            String to,
            List<Tab> statusTabs,
            List<Tab> workflowTabs,
            @Nullable String bulk,
            boolean isOperator,
            boolean isFiltering,
            String query,
            List<SavedFilter> saved) {

        /** An option of the status filter. */
        public record Choice(String value, Text label) {}

        public SagaList {
            workflows = List.copyOf(workflows);
            items = List.copyOf(items);
            statusTabs = List.copyOf(statusTabs);
            workflowTabs = List.copyOf(workflowTabs);
            saved = List.copyOf(saved);
        }

        public boolean isFiltered() {
            return stuck
                    || !schedule.isEmpty()
                    || !parent.isEmpty()
                    || !from.isEmpty()
                    || !to.isEmpty()
                    || !workflow.isEmpty()
                    || !status.isEmpty()
                    || !correlationId.isEmpty()
                    || !attribute.isEmpty();
        }

        public List<Choice> statuses() {
            return TotalTabs.STATUSES.stream()
                    .map(status -> new Choice(status, TotalTabs.label(status)))
                    .toList();
        }
    }
}
