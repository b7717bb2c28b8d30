package io.hiroba.records.sql;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectId;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.sql.SqlAccess.Details;
import io.hiroba.records.sql.SqlAccess.SqlView;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Access by SQL over HTTP. */
final class SqlAccessRoutes implements Routes {

    private static final String PATH = "/api/v1/projects/{project}/sql-access";

    private final Projects projects;
    private final SqlAccess sqlAccess;

    SqlAccessRoutes(Projects projects, SqlAccess sqlAccess) {
        this.projects = projects;
        this.sqlAccess = sqlAccess;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, ctx -> ctx.json(SqlAccessView.of(sqlAccess.get(access(ctx)), null)));
        routes.post(PATH, this::open);
        routes.delete(PATH, ctx -> {
            sqlAccess.close(access(ctx));
            ctx.status(204);
        });
    }

    private ProjectAccess access(Context ctx) {
        return projects.access(Caller.of(ctx), ProjectId.parse(ctx.pathParam("project")));
    }

    /** @param password told once, when access is given */
    private record SqlAccessView(
            String host,
            String port,
            String database,
            String user,
            @Nullable String password,
            String readsAs,
            List<SqlView> views,
            List<String> omitted,
            Instant createdAt) {

        static SqlAccessView of(Details details, @Nullable String password) {
            var connection = details.connection();
            return new SqlAccessView(
                    connection.host(),
                    connection.port(),
                    connection.database(),
                    connection.role(),
                    password,
                    details.readsAs().name().toLowerCase(Locale.ROOT),
                    details.views(),
                    details.omitted(),
                    details.createdAt());
        }
    }

    private record OpenBody(@Nullable String readsAs) {}

    private void open(Context ctx) {
        var access = access(ctx);
        var body = Body.exactJson(ctx, ctx.bodyAsBytes(), OpenBody.class);
        var role = switch (body.readsAs()) {
            case null -> ProjectRole.VIEWER;
            case "viewer" -> ProjectRole.VIEWER;
            case "owner" -> ProjectRole.OWNER;
            default ->
                throw RecordsProblem.invalid(
                        "readsAs", Text.of("records.query.either", "one", "viewer", "other", "owner"));
        };
        var opened = sqlAccess.open(access, role);
        ctx.status(201).header("Cache-Control", "no-store").json(SqlAccessView.of(opened.details(), opened.password()));
    }
}
