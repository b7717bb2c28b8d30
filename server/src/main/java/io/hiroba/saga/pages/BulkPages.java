package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.AttributeFilter;
import io.hiroba.saga.BulkActions;
import io.hiroba.saga.BulkActions.Action;
import io.hiroba.saga.BulkActions.Request;
import io.hiroba.saga.SagaFilter;
import io.hiroba.saga.SagaId;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaQueries.Total;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The pages of actions on all sagas that the filter of the list finds: the count, the choice, and the progress. */
public final class BulkPages implements Routes {

    static final String PATH = "/sagas/bulk";

    private final Shell shell;
    private final Readers readers;
    private final BulkActions bulk;

    BulkPages(Shell shell, Readers readers, BulkActions bulk) {
        this.shell = shell;
        this.readers = readers;
        this.bulk = bulk;
    }

    /**
     * The sagas that can be acted on, and how many there are of them.
     *
     * @param query the filter as the list has it in its address
     * @param isOfWorkflow whether all are of one workflow
     */
    public record Choice(String query, Total active, Total stuck, boolean isOfWorkflow) {}

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> choose(ctx, Form.EMPTY));
        routes.post(PATH, this::start);
        routes.get(PATH + "/{job}", this::show);
        routes.post(PATH + "/{job}/stop", ctx -> {
            bulk.stop(Caller.of(ctx), job(ctx));
            shell.seeOther(ctx, PATH + "/" + job(ctx), Text.of("saga.bulk.stopped"));
        });
    }

    private void choose(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var filter = filter(ctx);
        var choice = new Choice(
                SagaListPages.query(ctx, filter),
                bulk.count(caller, new Request(Action.CANCEL, filter, null, null)),
                bulk.count(caller, new Request(Action.RETRY, filter, null, null)),
                filter.workflowName() != null);
        shell.page(ctx, Text.of("saga.bulk.title"), "saga/bulk", Map.of("choice", choice, "form", form));
    }

    private SagaFilter filter(Context ctx) {
        return SagaListPages.filter(ctx, readers.reader(ctx))
                .withAttributes(AttributeFilter.parse(ctx.queryParams("attribute")));
    }

    private void start(Context ctx) {
        var form = Form.of(ctx, "action", "signal", "payload", "version");
        try {
            var job = bulk.start(Caller.of(ctx), request(form, filter(ctx)));
            shell.seeOther(ctx, PATH + "/" + job.id(), Text.of("saga.bulk.started"));
        } catch (Problem refusal) {
            shell.refusedForm(ctx, refusal, "/sagas");
            choose(ctx, form.refused(refusal));
        }
    }

    private static Request request(Form form, SagaFilter filter) {
        var action = Arrays.stream(Action.values())
                .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(form.value("action")))
                .findFirst()
                .orElseThrow(() -> SagaProblem.invalid("action", Text.of("saga.field.bulk-action")));
        if (action == Action.MIGRATE) {
            var typed = form.value("version").strip();
            return new Request(action, filter, null, null, typed.matches("[0-9]{1,9}") ? Integer.valueOf(typed) : null);
        }
        return action == Action.SIGNAL
                ? new Request(
                        action, filter, form.value("signal").strip(), JsonField.read("payload", form.value("payload")))
                : new Request(action, filter, null, null);
    }

    private void show(Context ctx) {
        shell.page(
                ctx, Text.of("saga.bulk.title"), "saga/bulk-job", Map.of("job", bulk.find(Caller.of(ctx), job(ctx))));
    }

    private static UUID job(Context ctx) {
        return SagaId.parse(ctx.pathParam("job")).value();
    }

    /** The address of the choice for a filter that is narrow enough and finds what goes on; null for others. */
    static @Nullable String link(Context ctx, SagaFilter filter) {
        return BulkActions.covers(filter) && !BulkActions.isOver(filter)
                ? PATH + "?" + SagaListPages.query(ctx, filter)
                : null;
    }
}
