package io.hiroba.records.pages;

import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.problem.Problem.FieldError;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ConflictRetry;
import io.hiroba.records.Records;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.views.ViewDefinition;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** A view as a form that makes records. */
public final class FormPage {

    private final Shell shell;
    private final PageContext context;
    private final RecordTitles titles;
    private final Records records;
    private final Idempotency idempotency;

    FormPage(Shell shell, PageContext context, RecordTitles titles, Records records, Idempotency idempotency) {
        this.shell = shell;
        this.context = context;
        this.titles = titles;
        this.records = records;
        this.idempotency = idempotency;
    }

    /**
     * The form.
     *
     * @param action where it is sent
     * @param choices where records to refer to are found
     * @param key so that sending it twice makes one record
     * @param thanks what is said after it was sent; null before
     */
    public record Sheet(
            String action,
            String choices,
            String heading,
            @Nullable String description,
            List<FormField> fields,
            boolean maySend,
            String key,
            @Nullable String problem,
            @Nullable String thanks) {

        public Sheet {
            fields = List.copyOf(fields);
        }
    }

    void show(Context ctx, ViewScope scope, @Nullable ViewTabs tabs) {
        page(ctx, scope, tabs, sheet(scope, form(scope), ctx.queryParam("sent") != null));
    }

    void submit(Context ctx, ViewScope scope, @Nullable ViewTabs tabs) {
        scope.access().requireEditor();
        if (context.isTooLarge(ctx)) {
            ctx.status(413);
            var text = Text.of("records.form-too-large", "size", context.largestForm());
            page(ctx, scope, tabs, sheet(scope, form(scope).withProblem(text), false));
            return;
        }
        var form = (scope.shared() == null ? form(scope) : form(scope).withoutFiles()).read(ctx);
        var values = within(scope, form.values());
        try {
            var missing = missing(scope, values);
            if (form.hasErrors() || !missing.isEmpty()) {
                throw RecordsProblem.invalid(Text.of("records.problem.record-invalid"), missing);
            }
            create(ctx, scope, values);
            shell.seeOther(ctx, scope.path() + "?sent=1");
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, scope.path());
            form.refused(refusal);
            if (form.hasErrors()) {
                // With all others, so that they are told at once.
                form.refused(records.faults(
                        scope.access(), scope.recordAccess().schema().name(), values));
            }
            page(ctx, scope, tabs, sheet(scope, form, false));
        }
    }

    private void create(Context ctx, ViewScope scope, ObjectNode values) {
        var key = Objects.requireNonNullElse(ctx.formParam("key"), "");
        var schema = scope.recordAccess().schema().name();
        ConflictRetry.run(prechecked -> idempotency.once(
                ctx,
                scope.access().user().hex(),
                key,
                values.toString().getBytes(StandardCharsets.UTF_8),
                tx -> Answer.created(
                        scope.schemaPath(),
                        Map.of(
                                "id",
                                records.create(tx, scope.access(), schema, values, prechecked)
                                        .id()))));
    }

    /** The values of the form's own fields: others cannot be sent with it. */
    private static ObjectNode within(ViewScope scope, ObjectNode values) {
        var names = fields(scope).stream()
                .flatMap(each -> scope.view().attribute(each.attribute()).stream())
                .map(each -> each.name())
                .toList();
        return values.retain(names);
    }

    private static List<FieldError> missing(ViewScope scope, ObjectNode values) {
        var missing = new ArrayList<FieldError>();
        for (var field : fields(scope)) {
            var attribute = scope.view().attribute(field.attribute()).orElse(null);
            if (attribute != null && Boolean.TRUE.equals(field.required()) && !values.has(attribute.name())) {
                missing.add(new FieldError(attribute.name(), Text.of("http.field.required")));
            }
        }
        return missing;
    }

    /** The fields that the view names, or all columns that it shows. */
    private static List<ViewDefinition.Field> fields(ViewScope scope) {
        var named = scope.view().definition().set().fields();
        var fields = named != null && !named.isEmpty()
                ? named
                : scope.view().shown().stream()
                        .map(each -> new ViewDefinition.Field(String.valueOf(each.id()), null, null, null))
                        .toList();
        // Whoever has only the link cannot look for records to refer to, nor for members.
        return scope.shared() == null
                ? fields
                : fields.stream()
                        .filter(each -> scope.view()
                                .attribute(each.attribute())
                                .filter(attribute -> attribute.references() == null
                                        && !attribute.isPerson()
                                        && !attribute.isAttachments())
                                .isPresent())
                        .toList();
    }

    private RecordForm form(ViewScope scope) {
        return new RecordForm(scope.access(), scope.recordAccess(), titles, scope.reader());
    }

    private static Sheet sheet(ViewScope scope, RecordForm form, boolean sent) {
        var inputs = form.fields();
        var shown = new ArrayList<FormField>();
        for (var field : fields(scope)) {
            scope.view()
                    .attribute(field.attribute())
                    .flatMap(attribute -> inputs.stream()
                            .filter(each -> each.attribute().equals(attribute.name()))
                            .findFirst())
                    .ifPresent(input -> shown.add(input.of(field)));
        }
        var settings = scope.view().definition().set();
        var thanks = Objects.requireNonNullElseGet(
                settings.thanks(), () -> scope.reader().text("records.form-thanks"));
        return new Sheet(
                scope.path() + "/submit",
                scope.schemaPath() + "/choices",
                Objects.requireNonNullElse(
                        settings.heading(), scope.view().view().name()),
                settings.description(),
                shown,
                ProjectHeader.of(scope.access()).mayEdit(),
                UUID.randomUUID().toString(),
                form.problem(),
                sent ? thanks : null);
    }

    private void page(Context ctx, ViewScope scope, @Nullable ViewTabs tabs, Sheet sheet) {
        if (tabs == null) {
            shell.page(
                    ctx,
                    Text.verbatim(scope.view().view().name()),
                    "records/shared-form",
                    Map.of("sheet", sheet, "path", scope.path()));
            return;
        }
        shell.page(
                ctx, Text.verbatim(scope.view().view().name()), "records/form", Map.of("tabs", tabs, "sheet", sheet));
    }
}
