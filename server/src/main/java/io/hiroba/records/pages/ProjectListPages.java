package io.hiroba.records.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Access;
import io.hiroba.records.Membership;
import io.hiroba.records.ProjectId;
import io.hiroba.records.Projects;
import io.hiroba.records.schema.Schemas;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.UUID;

/** The projects that somebody belongs to, and making one. */
public final class ProjectListPages implements Routes {

    private static final int PAGE = 24;
    private static final int MOST = 100;
    private static final String LIST = "pages.projects";

    private final Shell shell;
    private final Projects projects;
    private final Schemas schemas;
    private final Cursors cursors;
    private final Idempotency idempotency;

    public ProjectListPages(Shell shell, Projects projects, Schemas schemas, Cursors cursors, Idempotency idempotency) {
        this.shell = shell;
        this.projects = projects;
        this.schemas = schemas;
        this.cursors = cursors;
        this.idempotency = idempotency;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.ALL, ctx -> show(ctx, Form.EMPTY));
        routes.post(Paths.ALL, this::create);
    }

    private void create(Context ctx) {
        var form = Form.of(ctx, "name");
        try {
            var caller = Caller.of(ctx);
            var key = Form.of(ctx, "key").value("key");
            // A form that is sent twice, as by a double click, makes one project.
            var made = idempotency.once(ctx, caller.user().hex(), key, tx -> {
                var id = projects.create(tx, caller, form.value("name")).id();
                return Answer.created(Paths.project(id), Map.of("id", id.hex()));
            });
            shell.seeOther(ctx, made.headers().getOrDefault("Location", Paths.ALL));
        } catch (Problem refusal) {
            if (!Entrance.belongsToForm(refusal)) {
                throw refusal;
            }
            shell.refused(ctx, refusal, Paths.ALL);
            show(ctx, form.refused(refusal));
        }
    }

    private void show(Context ctx, Form form) {
        var caller = Caller.of(ctx);
        var request = PageRequest.of(ctx, PAGE, MOST);
        long before = cursors.read(LIST, request)
                .map(cursor -> ProjectId.parse(cursor.text(0)).value())
                .orElse(Long.MAX_VALUE);
        // One more than is shown tells whether there is another page.
        var found = projects.list(caller, before, request.limit() + 1);
        var shown = found.subList(0, Math.min(found.size(), request.limit()));
        var more = found.size() > shown.size()
                ? Paths.ALL + "?after="
                        + cursors.write(
                                LIST, Cursor.of(shown.getLast().project().id().hex()))
                : "";
        var items = shown.stream().map(each -> item(caller, each)).toList();
        var key = UUID.randomUUID().toString();
        shell.page(ctx, "Records", "records/list", Map.of("form", form, "projects", items, "more", more, "key", key));
    }

    private ProjectItem item(Caller caller, Membership membership) {
        var project = membership.project();
        int number =
                schemas.list(new Access(caller, project, membership.role())).size();
        return new ProjectItem(
                Paths.project(project.id()),
                project.name(),
                ProjectHead.label(membership.role()),
                number == 0 ? "no schemas yet" : number == 1 ? "1 schema" : number + " schemas");
    }
}
