package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.id.Ids;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Changes of types that are under way or were made, over HTTP. */
final class RetypeRoutes implements Routes {

    private static final String SCHEMA = "/api/v1/projects/{project}/schemas/{schema}";
    private static final String RETYPE = SCHEMA + "/retypes/{retype}";

    private final Projects projects;
    private final Schemas schemas;
    private final Retypes retypes;

    RetypeRoutes(Projects projects, Schemas schemas, Retypes retypes) {
        this.projects = projects;
        this.schemas = schemas;
        this.retypes = retypes;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RETYPE, FormerNames.noting(this::get));
        routes.post(RETYPE + "/cancel", FormerNames.noting(this::cancel));
        routes.post(SCHEMA + "/attributes/{attribute}/undo-retype", FormerNames.noting(this::undo));
    }

    /** A value that cannot be converted. */
    record FailureView(String id, String value, String reason) {

        static List<FailureView> of(List<Retypes.Failure> failures, Language language) {
            return failures.stream()
                    .map(each -> new FailureView(
                            each.row(), each.value(), each.reason().in(language)))
                    .toList();
        }
    }

    /**
     * A change of a type.
     *
     * @param attribute the id of the attribute that has or gets the converted values
     * @param seen how many of {@code total} records were looked at
     */
    record JobView(
            String id,
            int attribute,
            int formerAttribute,
            String from,
            String to,
            String onFailure,
            String state,
            long total,
            long seen,
            long failed,
            List<FailureView> failures,
            @Nullable String failure,
            Instant createdAt,
            @Nullable Instant endedAt) {

        static JobView of(Retypes.Job job, Language language) {
            var failure = job.failure();
            return new JobView(
                    Ids.hex(job.id()),
                    job.to(),
                    job.from(),
                    job.fromType().label(),
                    job.toType().label(),
                    job.clears() ? "clear" : "refuse",
                    job.state().name().toLowerCase(Locale.ROOT),
                    job.progress().total(),
                    job.progress().seen(),
                    job.progress().failed(),
                    FailureView.of(job.failures(), language),
                    failure == null ? null : failure.in(language),
                    job.createdAt(),
                    job.endedAt());
        }
    }

    private void get(Context ctx) {
        show(ctx, retypes.get(access(ctx), ctx.pathParam("schema"), id(ctx)));
    }

    private void cancel(Context ctx) {
        show(ctx, retypes.cancel(access(ctx), ctx.pathParam("schema"), id(ctx)));
    }

    private void undo(Context ctx) {
        var access = access(ctx);
        var schema = retypes.undo(access, ctx.pathParam("schema"), ctx.pathParam("attribute"));
        ctx.json(SchemaView.of(access, schema, schemas.list(access)));
    }

    private static void show(Context ctx, Retypes.Job job) {
        ctx.json(JobView.of(job, RequestLanguage.of(ctx)));
    }

    private static long id(Context ctx) {
        return Ids.parse(ctx.pathParam("retype"));
    }

    private ProjectAccess access(Context ctx) {
        return projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")))
                .requireOwner();
    }
}
