package io.hiroba.records.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.HtmxRequest;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.DateOrder;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Retypes;
import io.hiroba.records.Schema;
import io.hiroba.records.SchemaAttribute;
import io.hiroba.records.ValueType;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The pages on which the type of an attribute is changed: what would happen, and how far it has come. */
public final class RetypePages implements Routes {

    private static final String ATTRIBUTE = RecordPaths.SCHEMA + "/schema/attributes/{attribute}";
    private static final String JOB = RecordPaths.SCHEMA + "/schema/types/{retype}";

    private final Shell shell;
    private final PageContext context;
    private final Retypes retypes;

    RetypePages(Shell shell, PageContext context, Retypes retypes) {
        this.shell = shell;
        this.context = context;
        this.retypes = retypes;
    }

    /** A value that cannot be converted, with the path of its record. */
    public record FailedValue(String path, String value, Text reason) {

        private static List<FailedValue> of(String schemaPath, List<Retypes.Failure> failures) {
            return failures.stream()
                    .map(each -> new FailedValue(schemaPath + "/" + each.row(), each.value(), each.reason()))
                    .toList();
        }
    }

    /**
     * A change of a type before it is made.
     *
     * @param to the type, as in the API
     * @param refused the reasons why it cannot be made, whatever is left out
     * @param dates the order of days such as {@code 8/7/2026} that was chosen; empty for the one that the texts show
     * @param orders those that may be chosen; empty without such days
     */
    public record PreviewView(
            ProjectHeader project,
            String schema,
            String schemaPath,
            String path,
            String label,
            String to,
            Text toTitle,
            long converted,
            long failed,
            List<FailedValue> failures,
            List<Text> changes,
            List<Text> refused,
            String dates,
            List<DateOrder> orders) {

        public PreviewView {
            failures = List.copyOf(failures);
            changes = List.copyOf(changes);
            refused = List.copyOf(refused);
            orders = List.copyOf(orders);
        }
    }

    /**
     * A change of a type that is under way or has ended.
     *
     * @param attributePath the path of the attribute
     */
    public record JobView(
            ProjectHeader project,
            String schema,
            String schemaPath,
            String path,
            String label,
            String attributePath,
            Retypes.Job job,
            List<FailedValue> failures) {

        public JobView {
            failures = List.copyOf(failures);
        }

        public boolean isRunning() {
            return job.state() == Retypes.State.RUNNING;
        }

        public boolean isDone() {
            return job.state() == Retypes.State.DONE;
        }

        public @Nullable Text failure() {
            return job.failure();
        }

        /** The progress in percent. */
        public long percent() {
            var progress = job.progress();
            return isRunning() ? Math.min(99, progress.seen() * 100 / Math.max(1, progress.total())) : 100;
        }
    }

    /** An attribute whose type an owner changes. */
    private record Place(ProjectAccess access, Schema schema, SchemaAttribute attribute) {

        String schemaPath() {
            return RecordPaths.schema(access.project().id(), schema.name());
        }

        String schemaId() {
            return String.valueOf(schema.id());
        }

        String attributeId() {
            return String.valueOf(attribute.id());
        }

        String path() {
            return schemaPath() + "/schema/attributes/" + attribute.id();
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(ATTRIBUTE + "/type", ctx -> {
            // What cannot be converted is asked about; everything else refuses the change.
            var change = new Retypes.Change(type(ctx.queryParam("to")), true, order(ctx.queryParam("dates")));
            preview(ctx, place(ctx), change, null);
        });
        routes.post(ATTRIBUTE + "/type", this::change);
        routes.post(ATTRIBUTE + "/undo-type", this::undo);
        routes.get(JOB, this::progress);
        routes.post(JOB + "/cancel", this::cancel);
    }

    static String jobPath(String schemaPath, Retypes.Job job) {
        return schemaPath + "/schema/types/" + Ids.hex(job.id());
    }

    private Place place(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var recordAccess = context.schema(ctx, access);
        var name = ctx.pathParam("attribute");
        return new Place(
                access,
                recordAccess.schema(),
                recordAccess.attribute(name).orElseThrow(() -> RecordsProblem.noAttribute(name)));
    }

    private static ValueType type(@Nullable String given) {
        return ValueType.named(given == null ? "" : given)
                .orElseThrow(() -> RecordsProblem.invalid("to", Text.of("records.field.type")));
    }

    /** The order that is chosen; null for the one that the texts show. */
    private static @Nullable DateOrder order(@Nullable String given) {
        return given == null || given.isEmpty()
                ? null
                : DateOrder.named(given)
                        .orElseThrow(() -> RecordsProblem.invalid(
                                "dates", Text.of("records.query.either", "one", "month-first", "other", "day-first")));
    }

    private void preview(Context ctx, Place place, Retypes.Change change, @Nullable Problem refusal) {
        var preview = retypes.preview(place.access(), place.schemaId(), place.attributeId(), change);
        var type = change.type();
        var dates = change.dates();
        var refused = refusal == null || !preview.refused().isEmpty()
                ? preview.refused().stream().map(Problem.FieldError::message).toList()
                : List.of(
                        refusal.fields().isEmpty()
                                ? refusal.detail()
                                : refusal.fields().getFirst().message());
        var view = new PreviewView(
                ProjectHeader.of(place.access()),
                place.schema().label(),
                place.schemaPath(),
                place.path(),
                place.attribute().label(),
                type.label(),
                type.title(),
                preview.converted(),
                preview.failed(),
                FailedValue.of(place.schemaPath(), preview.failures()),
                preview.changes(),
                refused,
                dates == null ? "" : dates.label(),
                preview.asksOrder() ? List.of(DateOrder.values()) : List.of());
        shell.page(
                ctx,
                Text.of("records.retype-title", "attribute", place.attribute().label()),
                "records/retype",
                Map.of("view", view));
    }

    private void change(Context ctx) {
        var place = place(ctx);
        var type = type(ctx.formParam("to"));
        var dates = order(ctx.formParam("dates"));
        try {
            var outcome = retypes.change(
                    place.access(),
                    place.schemaId(),
                    place.attributeId(),
                    new Retypes.Change(type, ctx.formParam("clear") != null, dates));
            var job = outcome.job();
            if (job != null && outcome.isRunning()) {
                shell.seeOther(ctx, jobPath(place.schemaPath(), job), Text.of("records.retype-started"));
            } else {
                shell.seeOther(
                        ctx,
                        place.schemaPath() + "/schema/attributes/"
                                + (job == null ? place.attribute().id() : job.to()),
                        Text.of("records.retype-changed"));
            }
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, place.path());
            preview(ctx, place, new Retypes.Change(type, true, dates), refusal);
        }
    }

    private void undo(Context ctx) {
        var place = place(ctx);
        try {
            retypes.undo(place.access(), place.schemaId(), place.attributeId());
            shell.seeOther(
                    ctx,
                    place.schemaPath() + "/schema/attributes/"
                            + RecordPaths.encoded(place.attribute().name()),
                    Text.of("records.retype-undone"));
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.seeOther(ctx, place.path(), refusal.detail());
        }
    }

    private void progress(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var schema = context.schema(ctx, access).schema();
        var job = retypes.get(access, String.valueOf(schema.id()), Ids.parse(ctx.pathParam("retype")));
        var attribute = schema.attribute(job.to()).or(() -> schema.attribute(job.from()));
        var label = attribute
                .or(() -> schema.removed().stream()
                        .map(Schema.Removed::attribute)
                        .filter(each -> each.id() == job.from() || each.id() == job.to())
                        .findFirst())
                .map(SchemaAttribute::label)
                .orElse(String.valueOf(job.from()));
        var schemaPath = RecordPaths.schema(access.project().id(), schema.name());
        var view = new JobView(
                ProjectHeader.of(access),
                schema.label(),
                schemaPath,
                jobPath(schemaPath, job),
                label,
                attribute
                        .map(each -> schemaPath + "/schema/attributes/" + each.id())
                        .orElse(schemaPath + "/schema"),
                job,
                FailedValue.of(schemaPath, job.failures()));
        shell.page(
                ctx,
                Text.of("records.retype-title", "attribute", label),
                HtmxRequest.isFragment(ctx) ? "records/retype-state" : "records/retype-progress",
                Map.of("view", view));
    }

    private void cancel(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var schema = context.schema(ctx, access).schema();
        var job = retypes.cancel(access, String.valueOf(schema.id()), Ids.parse(ctx.pathParam("retype")));
        shell.seeOther(
                ctx,
                jobPath(RecordPaths.schema(access.project().id(), schema.name()), job),
                Text.of("records.retype-cancel-asked"));
    }
}
