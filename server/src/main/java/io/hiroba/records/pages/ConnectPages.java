package io.hiroba.records.pages;

import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.sql.SqlAccess;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The page of what reads a project from outside: the address of its OData service, and its access by SQL. */
public final class ConnectPages implements Routes {

    private static final String PART = "connect";

    private final Shell shell;
    private final PageContext context;
    private final SqlAccess sqlAccess;
    private final String publicUrl;

    /** @param publicUrl empty if it is not configured */
    ConnectPages(Shell shell, PageContext context, SqlAccess sqlAccess, String publicUrl) {
        this.shell = shell;
        this.context = context;
        this.sqlAccess = sqlAccess;
        this.publicUrl = publicUrl;
    }

    /**
     * The access by SQL of a project.
     *
     * @param command what to type in a terminal
     * @param tunnel what to type before on another machine; null if the database is reached from there
     * @param password told once, when access is given
     */
    public record SqlConnection(
            SqlAccess.Details details,
            String command,
            @Nullable String tunnel,
            @Nullable String password) {

        static SqlConnection of(SqlAccess.Details details, @Nullable String password) {
            var to = details.connection();
            return new SqlConnection(
                    details,
                    "psql \"host=%s port=%s dbname=%s user=%s\""
                            .formatted(to.host(), to.port(), to.database(), to.role()),
                    to.isLocal() ? "ssh -N -L %1$s:%2$s:%1$s user@server".formatted(to.port(), to.host()) : null,
                    password);
        }

        /** Whether nothing is hidden in the views. */
        public boolean isOfOwner() {
            return details.readsAs() == ProjectRole.OWNER;
        }

        /** An example of a statement. */
        public List<String> examples() {
            return details.views().stream()
                    .limit(1)
                    .map(view -> "SELECT * FROM \"" + view.view().replace("\"", "\"\"") + "\" LIMIT 10;")
                    .toList();
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.PROJECT + "/-/" + PART, ctx -> show(ctx, context.project(ctx), null, Form.EMPTY));
        routes.post(RecordPaths.PROJECT + "/-/" + PART + "/sql", this::open);
        routes.post(RecordPaths.PROJECT + "/-/" + PART + "/sql/close", this::close);
    }

    private void open(Context ctx) {
        var access = context.project(ctx).requireOwner();
        try {
            var readsAs = "owner".equals(ctx.formParam("readsAs")) ? ProjectRole.OWNER : ProjectRole.VIEWER;
            var opened = sqlAccess.open(access, readsAs);
            ctx.header("Cache-Control", "no-store");
            show(ctx, access, SqlConnection.of(opened.details(), opened.password()), Form.EMPTY);
        } catch (Problem refusal) {
            if (!PageContext.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, path(access));
            show(ctx, access, null, Form.EMPTY.refused(refusal));
        }
    }

    private void close(Context ctx) {
        var access = context.project(ctx).requireOwner();
        sqlAccess.close(access);
        shell.seeOther(ctx, path(access), Text.of("records.sql-closed"));
    }

    private void show(Context ctx, ProjectAccess access, @Nullable SqlConnection given, Form form) {
        var base = publicUrl.isEmpty() ? ctx.scheme() + "://" + ctx.host() : publicUrl;
        var model = new HashMap<String, Object>(Map.of(
                "project",
                ProjectHeader.of(access),
                "form",
                form,
                "odata",
                base + "/odata/" + access.project().id().hex()));
        if (given != null) {
            model.put("sql", given);
        } else if (access.isOwner()) {
            sqlAccess.find(access).ifPresent(details -> model.put("sql", SqlConnection.of(details, null)));
        }
        shell.page(ctx, Text.of("records.connect"), "records/connect", model);
    }

    private static String path(ProjectAccess access) {
        return RecordPaths.part(access.project().id(), PART);
    }
}
