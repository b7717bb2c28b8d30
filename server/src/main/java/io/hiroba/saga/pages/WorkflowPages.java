package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaRole;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.workflow.PayloadSchema;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The pages that list workflows, show one and start a saga of it. */
public final class WorkflowPages implements Routes {

    /** The field that says whether the payload is JSON. */
    static final String INPUT = "input";

    private static final String PAYLOAD = "payload";
    private static final String CORRELATION = "correlationId";
    private static final String PRIORITY = "priority";

    private final Shell shell;
    private final Readers readers;
    private final Workflows workflows;
    private final Sagas sagas;
    private final SagaRoles roles;
    private final KeysetList<WorkflowVersion, String> list;

    WorkflowPages(Shell shell, Readers readers, Workflows workflows, Sagas sagas, SagaRoles roles, Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.workflows = workflows;
        this.sagas = sagas;
        this.roles = roles;
        list = new KeysetList<>(
                cursors, "pages.workflows", 50, 100, cursor -> cursor.text(0), last -> Cursor.of(last.name()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/workflows", this::list);
        routes.get("/workflows/{name}", ctx -> show(ctx, null));
        routes.post("/workflows/{name}/enabled", this::enable);
        routes.post("/workflows/{name}/start", this::start);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var page = list.page(ctx, (after, limit) -> workflows.list(caller, after, limit));
        var next = page.next();
        var reader = readers.reader(ctx);
        shell.page(
                ctx,
                Text.of("saga.workflows.title"),
                "saga/workflows",
                Map.of(
                        "workflows",
                        page.items().stream()
                                .map(version -> WorkflowRow.of(version, reader))
                                .toList(),
                        "more",
                        next == null ? "" : "/workflows?after=" + next));
    }

    private void enable(Context ctx) {
        var name = ctx.pathParam("name");
        boolean enabled = Boolean.parseBoolean(ctx.formParam("enabled"));
        workflows.setEnabled(Caller.of(ctx), name, enabled);
        shell.seeOther(
                ctx,
                path(name),
                enabled ? Text.of("saga.workflow.enabled-notice") : Text.of("saga.workflow.disabled-notice"));
    }

    private void start(Context ctx) {
        var name = ctx.pathParam("name");
        var caller = Caller.of(ctx);
        var schema = schema(workflows.one(caller, name, Optional.empty()));
        var form = form(ctx, schema);
        try {
            var payload = payload(ctx, schema);
            var other = ctx.formParam("switch");
            if (other != null) {
                if (!other.equals("json") && !payload.isObject()) {
                    // The fields would be empty, and sending them would lose what was typed.
                    throw SagaProblem.invalid(PAYLOAD, Text.of("saga.field.answers"));
                }
                ctx.header("HX-Replace-Url", path(name));
                var filled = filled(schema, payload, form.value(CORRELATION), other.equals("json"));
                show(ctx, filled.with(PRIORITY, form.value(PRIORITY)).with("switch", other));
                return;
            }
            var correlation = form.value(CORRELATION).strip();
            var id = sagas.start(
                    caller,
                    new NewSaga(
                            name,
                            payload,
                            correlation.isEmpty() ? null : correlation,
                            null,
                            null,
                            NewSaga.priority(form.value(PRIORITY), NewSaga.DEFAULT_PRIORITY)));
            shell.seeOther(ctx, "/sagas/" + id, Text.of("saga.workflow.started-notice"));
        } catch (Problem refusal) {
            if (refusal.kind() == Problem.Kind.FORBIDDEN || refusal.kind() == Problem.Kind.NOT_FOUND) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path(name));
            show(ctx, isJson(ctx, schema) ? JsonField.refused(form, PAYLOAD, refusal) : form.refused(refusal));
        }
    }

    private static PayloadSchema schema(Workflows.Details details) {
        var workflow = details.workflow();
        return workflow == null ? new PayloadSchema(List.of()) : workflow.payload();
    }

    private static Form form(Context ctx, PayloadSchema schema) {
        var fields = schema.fields().stream()
                .map(each -> PayloadSchema.PREFIX + each.field().name());
        return Form.of(
                ctx,
                Stream.concat(Stream.of(INPUT, PAYLOAD, CORRELATION, PRIORITY), fields)
                        .toArray(String[]::new));
    }

    /** What was typed; the JSON that the fields were made of keeps what no field shows. */
    private static JsonNode payload(Context ctx, PayloadSchema schema) {
        var text = ctx.formParam(PAYLOAD);
        var json = JsonField.read(PAYLOAD, text == null ? "" : text);
        if (isJson(ctx, schema)) {
            return json;
        }
        var texts = new HashMap<String, String>();
        for (var each : schema.fields()) {
            var field = each.field().name();
            var typed = ctx.formParam(PayloadSchema.PREFIX + field);
            texts.put(field, typed == null ? "" : typed);
        }
        return schema.typed(json, texts);
    }

    private static boolean isJson(Context ctx, PayloadSchema schema) {
        return schema.fields().isEmpty() || "json".equals(ctx.formParam(INPUT));
    }

    private static Form filled(PayloadSchema schema, JsonNode payload, String correlation, boolean asJson) {
        var values = new HashMap<String, String>();
        values.put(INPUT, asJson ? "json" : "");
        values.put(CORRELATION, correlation);
        values.put(PAYLOAD, JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(payload));
        schema.texts(payload).forEach((name, text) -> values.put(PayloadSchema.PREFIX + name, text));
        return Form.filled(values);
    }

    /** @param form null for one that nobody has filled in */
    private void show(Context ctx, @Nullable Form form) {
        var caller = Caller.of(ctx);
        var name = ctx.pathParam("name");
        var details = workflows.one(caller, name, version(ctx));
        var newest = workflows.versions(caller, name, Optional.empty(), 1).getFirst();
        var role = roles.of(caller);
        var rights = new WorkflowPageModel.Rights(
                role == SagaRole.OPERATOR || role == SagaRole.ADMIN, role == SagaRole.ADMIN);
        var sheet = WorkflowPageModel.of(details, newest, rights, readers.reader(ctx));
        var schema = schema(details);
        var empty = schema.complete(JsonMapper.shared().createObjectNode());
        shell.page(
                ctx,
                Text.verbatim(name),
                "saga/workflow",
                Map.of("workflow", sheet, "form", form == null ? filled(schema, empty, "", false) : form));
    }

    /** A malformed number means a version that does not exist. */
    private static Optional<Integer> version(Context ctx) {
        return Optional.ofNullable(ctx.queryParam("version"))
                .map(text -> text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : 0);
    }

    static String path(String name) {
        return "/workflows/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    /**
     * A row of a list of versions.
     *
     * @param made how long ago that was
     */
    public record WorkflowRow(String name, int version, boolean isEnabled, String made, String exact) {

        static WorkflowRow of(WorkflowVersion version, Reader reader) {
            return new WorkflowRow(
                    version.name(),
                    version.version(),
                    version.enabled(),
                    reader.ago(version.createdAt()),
                    reader.exact(version.createdAt()));
        }
    }
}
