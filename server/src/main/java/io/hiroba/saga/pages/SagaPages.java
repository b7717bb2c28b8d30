package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.Approvals;
import io.hiroba.saga.NewSaga;
import io.hiroba.saga.Saga;
import io.hiroba.saga.SagaDetails;
import io.hiroba.saga.SagaFilter;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaQueries;
import io.hiroba.saga.SagaRoles;
import io.hiroba.saga.Sagas;
import io.hiroba.saga.Sagas.Resolution;
import io.hiroba.saga.pages.SagaPageModel.ApprovalCard;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import tools.jackson.databind.json.JsonMapper;

/** The page of one saga: its timeline, and the actions of operators. */
final class SagaPages implements Routes {

    private static final int MAX_CHILDREN = 10;

    private final Shell shell;
    private final Readers readers;
    private final SagaQueries queries;
    private final Sagas sagas;
    private final Approvals approvals;
    private final SagaRoles roles;

    SagaPages(Shell shell, Readers readers, SagaQueries queries, Sagas sagas, Approvals approvals, SagaRoles roles) {
        this.shell = shell;
        this.readers = readers;
        this.queries = queries;
        this.sagas = sagas;
        this.approvals = approvals;
        this.roles = roles;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/sagas/{id}", ctx -> show(ctx, Form.EMPTY));
        routes.get("/sagas/{id}/history", this::history);
        routes.post("/sagas/{id}/cancel", ctx -> act(ctx, sagas::cancel, Text.of("saga.show.cancelling")));
        routes.post("/sagas/{id}/undo", ctx -> act(ctx, sagas::compensate, Text.of("saga.show.undoing")));
        routes.post("/sagas/{id}/retry", ctx -> act(ctx, sagas::retry, Text.of("saga.show.retrying")));
        routes.post("/sagas/{id}/signal", this::signal);
        routes.post("/sagas/{id}/again", this::runAgain);
        routes.post("/sagas/{id}/resolve", this::resolve);
        routes.post("/sagas/{id}/payload", this::changePayload);
        routes.post("/sagas/{id}/migrate", ctx -> act(ctx, migrating(ctx), Text.of("saga.show.migrated")));
    }

    private void act(Context ctx, BiConsumer<Caller, SagaId> act, Text notice) {
        var id = id(ctx);
        try {
            act.accept(Caller.of(ctx), id);
            shell.seeOther(ctx, "/sagas/" + id, notice);
        } catch (Problem refusal) {
            showAgain(ctx, Form.EMPTY, refusal);
        }
    }

    private BiConsumer<Caller, SagaId> migrating(Context ctx) {
        var version = String.valueOf(ctx.queryParam("version"));
        return (caller, id) -> sagas.migrate(caller, id, version.matches("[0-9]{1,9}") ? Integer.parseInt(version) : 0);
    }

    private void signal(Context ctx) {
        var id = id(ctx);
        var form = Form.of(ctx, "name", "payload");
        try {
            sagas.signal(Caller.of(ctx), id, form.value("name"), JsonField.read("payload", form.value("payload")));
            shell.seeOther(ctx, "/sagas/" + id, Text.of("saga.show.signal-sent"));
        } catch (Problem refusal) {
            showAgain(ctx, form, refusal);
        }
    }

    /** Starts another saga with the same input and, unless another is given, the same priority, of the newest version of the workflow. */
    private void runAgain(Context ctx) {
        var caller = Caller.of(ctx);
        var saga = queries.find(caller, id(ctx)).orElseThrow(SagaProblem::notFound);
        var payload = saga.payload();
        var form = Form.of(ctx, "priority");
        try {
            var started = sagas.start(
                    caller,
                    new NewSaga(
                            saga.workflowName(),
                            payload == null ? JsonMapper.shared().createObjectNode() : payload,
                            saga.correlationId(),
                            null,
                            null,
                            NewSaga.priority(form.value("priority"), saga.priority())));
            shell.seeOther(ctx, "/sagas/" + started, Text.of("saga.workflow.started-notice"));
        } catch (Problem refusal) {
            showAgain(ctx, form, refusal);
        }
    }

    private void resolve(Context ctx) {
        var id = id(ctx);
        var form = Form.of(ctx, "decision", "step", "answer", "reason");
        try {
            sagas.resolve(Caller.of(ctx), id, resolution(form));
            shell.seeOther(ctx, "/sagas/" + id, Text.of("saga.show.resolved"));
        } catch (Problem refusal) {
            showAgain(ctx, form, refusal);
        }
    }

    private static Resolution resolution(Form form) {
        var reason = form.value("reason");
        return switch (form.value("decision")) {
            case "skip" -> new Resolution(Resolution.Action.SKIP, form.value("step"), null, reason);
            case "complete" -> {
                var answer = form.value("answer");
                yield new Resolution(
                        Resolution.Action.COMPLETE,
                        form.value("step"),
                        answer.isBlank() ? null : JsonField.read("answer", answer),
                        reason);
            }
            case "end-completed" -> new Resolution(Resolution.Action.COMPLETE, null, null, reason);
            case "end-failed" -> new Resolution(Resolution.Action.FAIL, null, null, reason);
            case "undo" -> new Resolution(Resolution.Action.UNDO, null, null, reason);
            default -> throw SagaProblem.invalid("decision", Text.of("saga.field.resolution"));
        };
    }

    private void changePayload(Context ctx) {
        var id = id(ctx);
        var form = Form.of(ctx, "newPayload", "payloadReason");
        try {
            var payload = JsonField.read("newPayload", form.value("newPayload"));
            sagas.changePayload(Caller.of(ctx), id, payload, form.value("payloadReason"));
            shell.seeOther(ctx, "/sagas/" + id, Text.of("saga.show.payload-changed"));
        } catch (Problem refusal) {
            showAgain(ctx, refusal, refusedPayload(form, refusal));
        }
    }

    /** The API calls the fields of this form {@code payload} and {@code reason}, which other forms of the page have too. */
    private static Form refusedPayload(Form form, Problem refusal) {
        var refused = JsonField.refused(form, "newPayload", refusal);
        for (var fault : refusal.fields()) {
            if (fault.field().equals("payload")) {
                refused = refused.withError("newPayload", fault.message());
            } else if (fault.field().equals("reason")) {
                refused = refused.withError("payloadReason", fault.message());
            }
        }
        return refused.errors().isEmpty() ? refused : new Form(refused.values(), refused.errors(), null);
    }

    private void showAgain(Context ctx, Form form, Problem refusal) {
        showAgain(ctx, refusal, form.refused(refusal));
    }

    /** Shows the saga with the refusal; without access to the saga, or without one, the error page is shown. */
    private void showAgain(Context ctx, Problem refusal, Form refused) {
        if (refusal.kind() == Problem.Kind.FORBIDDEN || refusal.kind() == Problem.Kind.NOT_FOUND) {
            throw refusal;
        }
        shell.refused(ctx, refusal, "/sagas/" + id(ctx));
        show(ctx, refused);
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var reader = readers.reader(ctx);
        var details = queries.details(caller, id(ctx));
        var sheet = SagaPageModel.of(details, roles.of(caller), reader);
        var family = FamilyModel.of(details, newestChildren(caller, details), reader);
        var requested = approvals.of(caller, id(ctx)).stream()
                .map(each -> ApprovalCard.of(
                        each, "/approvals/" + Ids.hex(each.id()), each.awaits(caller.user()), caller.user(), reader))
                .toList();
        shell.page(
                ctx,
                Text.verbatim(sheet.workflow()),
                "saga/show",
                Map.of(
                        "saga",
                        sheet,
                        "approvals",
                        requested,
                        "form",
                        form,
                        "family",
                        family,
                        "newer",
                        queries.newerVersion(caller, details.saga()).orElse(0)));
    }

    private void history(Context ctx) {
        var caller = Caller.of(ctx);
        var details = queries.details(caller, id(ctx));
        var history = SagaHistory.of(details, approvals.of(caller, id(ctx)), readers.reader(ctx));
        shell.page(ctx, Text.verbatim(history.workflow()), "saga/history", Map.of("history", history));
    }

    private List<Saga> newestChildren(Caller caller, SagaDetails details) {
        if (details.family().children().isEmpty()) {
            return List.of();
        }
        var filter = SagaFilter.ALL.withParent(details.saga().id());
        return queries.list(caller, filter, Optional.empty(), MAX_CHILDREN);
    }

    private static SagaId id(Context ctx) {
        return SagaId.parse(ctx.pathParam("id"));
    }
}
