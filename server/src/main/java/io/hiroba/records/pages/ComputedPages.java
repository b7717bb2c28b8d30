package io.hiroba.records.pages;

import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Schemas;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;

/** The form of a computed attribute, on its page. */
final class ComputedPages implements Routes {

    private final Shell shell;
    private final Schemas schemas;
    private final AttributePages attributes;

    ComputedPages(Shell shell, Schemas schemas, AttributePages attributes) {
        this.shell = shell;
        this.schemas = schemas;
        this.attributes = attributes;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.post(AttributePages.ATTRIBUTE + "/computed", this::change);
    }

    private void change(Context ctx) {
        var place = attributes.place(ctx);
        var form = AttributePages.named(place.attribute());
        var state = ComputedState.of(schemas, place, form);
        if (state == null) {
            throw RecordsProblem.noAttribute(place.attribute().name());
        }
        for (var part : ComputedFields.PARTS) {
            var typed = ctx.formParam(part);
            form = form.with(part, typed == null ? "" : FormValues.lines(typed));
        }
        try {
            var definition = ComputedFields.definition(state.kind(), form.values())
                    .orElseThrow(() -> HttpProblem.invalid("computed", Text.of("records.must-be-given")));
            schemas.redefine(
                    place.access(),
                    place.schema(),
                    String.valueOf(place.attribute().id()),
                    definition);
            shell.seeOther(ctx, place.path(), Text.of("records.attribute-changed"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, place.path());
            var fields = refusal.fields();
            var refused = fields.isEmpty()
                    ? form.refused(refusal)
                    : form.withError("computed", fields.getFirst().message());
            attributes.show(ctx, place, refused, refusal);
        }
    }
}
