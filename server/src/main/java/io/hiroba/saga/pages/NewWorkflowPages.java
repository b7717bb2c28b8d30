package io.hiroba.saga.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.saga.SagaProblem;
import io.hiroba.saga.SagaProblem.DefinitionError;
import io.hiroba.saga.WorkflowWarnings;
import io.hiroba.saga.workflow.WorkflowFormat;
import io.hiroba.saga.workflow.WorkflowVersion;
import io.hiroba.saga.workflow.Workflows;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The page on which admins write a workflow, or a new version of one. */
public final class NewWorkflowPages implements Routes {

    /** Not below /workflows, where every name may be that of a workflow. */
    static final String PATH = "/new-workflow";

    private static final String FIELD = "definition";
    private static final String EDITED = "edited";
    private static final String BASE = "base";

    private static final String EXAMPLE = """
            name: order
            totalTimeout: 5m
            steps:
              - name: reserve
                service: stock
                method: Stock.Reserve
                compensate: Stock.Release
                retry: {maxAttempts: 5, backoff: exponential, initialInterval: 1s}
              - name: approval
                waitForSignal: approve
              - parallel:
                  - {name: charge, service: bank, method: Bank.Charge, compensate: Bank.Refund}
                  - {name: label, service: parcels, method: Parcels.Label}
            """;

    private static final int MAX_WARNINGS = 3;

    private final Shell shell;
    private final Readers readers;
    private final Workflows workflows;
    private final WorkflowWarnings warnings;

    NewWorkflowPages(Shell shell, Readers readers, Workflows workflows, WorkflowWarnings warnings) {
        this.warnings = warnings;
        this.shell = shell;
        this.readers = readers;
        this.workflows = workflows;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::open);
        routes.post(PATH + "/check", this::check);
        routes.post("/workflows", this::save);
    }

    private void open(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var name = ctx.queryParam("from");
        if (name == null) {
            show(ctx, Form.filled(Map.of(FIELD, EXAMPLE)), draft(ctx, EXAMPLE), "");
            return;
        }
        var newest = workflows.one(caller, name, Optional.empty());
        var version = Integer.toString(newest.version().version());
        var values = Map.of(FIELD, newest.definition(), EDITED, name, BASE, version);
        show(ctx, Form.filled(values), draft(ctx, newest.definition()), "");
    }

    /** Checks what is being typed. */
    private void check(Context ctx) {
        Caller.of(ctx).requireAdmin();
        shell.fragment(ctx, "saga/draft", Map.of("draft", draft(ctx, text(ctx)), "isPage", false));
    }

    private void save(Context ctx) {
        var caller = Caller.of(ctx);
        caller.requireAdmin();
        var form = Form.of(ctx, FIELD, EDITED, BASE);
        var text = text(ctx);
        var format = WorkflowFormat.ofText(text);
        try {
            var edited = edited(form);
            var registration = edited.isPresent()
                    ? workflows.register(caller, text, format, edited.get())
                    : workflows.register(caller, text, format);
            var number = Integer.toString(registration.version().version());
            shell.seeOther(
                    ctx,
                    WorkflowPages.path(registration.version().name()),
                    registration.created()
                            ? registered(registration.version())
                            : Text.of("saga.register.identical", "version", number));
        } catch (Problem refusal) {
            var name = form.value(EDITED);
            shell.refused(ctx, refusal, name.isEmpty() ? PATH : path(name));
            var refused = form.withProblem(refusal.detail());
            if (refusal.code().equals("saga.edited-meanwhile")) {
                var newest = newest(caller, name);
                var compare = WorkflowVersionPages.path(name) + "?from=" + form.value(BASE) + "&to=" + newest;
                // Whoever saves again has read that there is another one.
                show(ctx, refused.with(BASE, newest), draft(ctx, text), compare);
            } else {
                show(ctx, refused, Draft.of(refusal, text), "");
            }
        }
    }

    private Text registered(WorkflowVersion version) {
        var missing = warnings.of(version);
        var number = Integer.toString(version.version());
        if (missing.isEmpty()) {
            return Text.of("saga.register.registered", "version", number);
        }
        // A notice is short: the API names them all.
        int more = Math.max(missing.size() - MAX_WARNINGS, 0);
        return Text.of(
                "saga.register.registered-warned",
                "version",
                number,
                "warnings",
                missing.subList(0, missing.size() - more),
                "more",
                more);
    }

    private String newest(Caller caller, String name) {
        return Integer.toString(
                workflows.one(caller, name, Optional.empty()).version().version());
    }

    /** The version that the text was taken from, if the form says so. */
    private static Optional<Workflows.Edited> edited(Form form) {
        return form.value(BASE).matches("[0-9]{1,9}")
                ? Optional.of(new Workflows.Edited(form.value(EDITED), Integer.parseInt(form.value(BASE))))
                : Optional.empty();
    }

    private static String text(Context ctx) {
        return Form.of(ctx, FIELD).value(FIELD).replace("\r\n", "\n");
    }

    /** The address of the page that edits a workflow. */
    static String path(String name) {
        return PATH + "?from=" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    private Draft draft(Context ctx, String text) {
        try {
            var preview = workflows.preview(Caller.of(ctx), text, WorkflowFormat.ofText(text));
            return Draft.of(preview, readers.reader(ctx));
        } catch (Problem refusal) {
            return Draft.of(refusal, text);
        }
    }

    private void show(Context ctx, Form form, Draft draft, String compare) {
        var name = form.value(EDITED);
        var title =
                name.isEmpty() ? Text.of("saga.register.title") : Text.of("saga.register.edit-title", "workflow", name);
        shell.page(
                ctx,
                title,
                "saga/register",
                Map.of("form", form, "draft", draft, "name", name, "compare", compare, "heading", title));
    }

    /**
     * A text as far as it is written.
     *
     * @param problem what is wrong with it, where no line is
     * @param summary what it would become; null where something is wrong
     * @param graph its drawing; null where something is wrong
     */
    public record Draft(
            String name,
            List<Mistake> mistakes,
            @Nullable Text problem,
            @Nullable Text summary,
            @Nullable Graph graph) {

        public Draft {
            mistakes = List.copyOf(mistakes);
        }

        /** The lines with a mistake, as JSON. */
        public String lines() {
            return mistakes.stream().map(Mistake::line).distinct().toList().toString();
        }

        static Draft of(Workflows.Preview preview, Reader reader) {
            var workflow = preview.workflow();
            var version = Integer.toString(workflow.version());
            var summary = preview.created()
                    ? Text.of("saga.register.becomes", "version", version, "workflow", workflow.name())
                    : Text.of("saga.register.unchanged", "version", version, "workflow", workflow.name());
            return new Draft(workflow.name(), List.of(), null, summary, Graph.of(workflow, reader));
        }

        static Draft of(Problem refusal, String text) {
            var mistakes = Mistake.of(refusal, text);
            return new Draft("", mistakes, mistakes.isEmpty() ? refusal.detail() : null, null, null);
        }
    }

    /**
     * An error in a line of a definition.
     *
     * @param place the line, and the column where all is in one line
     * @param source the line as it was typed
     */
    public record Mistake(int line, Text place, String path, Text reason, String source) {

        /** The mistakes that a refusal names, with the lines of {@code text} that they are in. */
        static List<Mistake> of(Problem refusal, String text) {
            if (!(refusal instanceof SagaProblem problem)) {
                return List.of();
            }
            var lines = text.lines().toList();
            return problem.definitionErrors().stream()
                    .map(error -> new Mistake(
                            error.line(),
                            place(error),
                            error.path(),
                            error.reason(),
                            error.line() <= lines.size() ? lines.get(error.line() - 1) : ""))
                    .toList();
        }

        private static Text place(DefinitionError error) {
            var line = Integer.toString(error.line());
            return error.column() == 0
                    ? Text.of("saga.register.line", "line", line)
                    : Text.of("saga.register.column", "line", line, "column", Integer.toString(error.column()));
        }
    }
}
