package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.RequestLanguage;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Projects and their members over HTTP. */
final class ProjectRoutes implements Routes {

    private static final String PATH = "/api/v1/projects";

    private final Projects projects;
    private final ProjectTemplates templates;
    private final Idempotency idempotency;
    private final KeysetList<Projects.Membership, Long> memberships;
    private final KeysetList<Projects.Member, Long> members;

    ProjectRoutes(Projects projects, ProjectTemplates templates, Idempotency idempotency, Cursors cursors) {
        this.projects = projects;
        this.templates = templates;
        this.idempotency = idempotency;
        this.memberships = new KeysetList<>(
                cursors,
                "projects",
                cursor -> ProjectId.parse(cursor.text(0)).value(),
                last -> Cursor.of(last.project().id().hex()));
        this.members = new KeysetList<>(
                cursors,
                "project-members",
                cursor -> UserId.parse(cursor.text(0)).value(),
                last -> Cursor.of(last.user().hex()));
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/api/v1/project-templates", this::templates);
        routes.post(PATH, this::create);
        routes.get(PATH, this::list);
        routes.get(PATH + "/{project}", this::get);
        routes.patch(PATH + "/{project}", this::change);
        routes.delete(PATH + "/{project}", this::delete);
        routes.get(PATH + "/{project}/members", this::members);
        routes.put(PATH + "/{project}/members/{user}", this::put);
        routes.delete(PATH + "/{project}/members/{user}", this::remove);
    }

    private record ProjectView(
            String id, String name, String clientId, String role, boolean autoIndex, Instant createdAt) {

        static ProjectView of(Project project, ProjectRole role) {
            return new ProjectView(
                    project.id().hex(),
                    project.name(),
                    project.client().hex(),
                    label(role),
                    project.autoIndex(),
                    project.id().createdAt());
        }
    }

    private record MemberView(
            String userId, String nickname, @Nullable String avatar, String role) {

        static MemberView of(Projects.Member member) {
            return new MemberView(member.user().hex(), member.nickname(), member.avatar(), label(member.role()));
        }
    }

    /** @param examples whether the records of the template are wanted; so unless it is said */
    private record Create(
            String name,
            @Nullable String template,
            @Nullable Boolean examples) {}

    private record TemplateView(String name, String title, String about, List<TableView> schemas) {

        static TemplateView of(ProjectTemplate template) {
            return new TemplateView(
                    template.name(),
                    template.title(),
                    template.about(),
                    template.schemas().stream()
                            .map(each -> new TableView(each.name(), each.title()))
                            .toList());
        }
    }

    private record TableView(String name, String title) {}

    private record TemplateList(List<TemplateView> items) {}

    private void templates(Context ctx) {
        Caller.of(ctx);
        ctx.json(new TemplateList(templates.list(RequestLanguage.of(ctx)).stream()
                .map(TemplateView::of)
                .toList()));
    }

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var body = Body.json(ctx, Create.class);
        var choice = new ProjectTemplates.Choice(
                body.template(), RequestLanguage.of(ctx), !Boolean.FALSE.equals(body.examples()));
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var project = templates.create(tx, caller, body.name(), choice);
            return Answer.created(PATH + "/" + project.id().hex(), ProjectView.of(project, ProjectRole.OWNER));
        });
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        ctx.json(memberships
                .page(ctx, (before, limit) -> projects.list(caller, before.orElse(Long.MAX_VALUE), limit))
                .map(membership -> ProjectView.of(membership.project(), membership.role())));
    }

    private void get(Context ctx) {
        var access = projects.access(Caller.of(ctx), id(ctx));
        ctx.json(ProjectView.of(access.project(), access.role()));
    }

    private record Change(@Nullable String name, @Nullable Boolean autoIndex) {}

    private void change(Context ctx) {
        var change = Body.json(ctx, Change.class);
        var project = projects.change(Caller.of(ctx), id(ctx), change.name(), change.autoIndex());
        ctx.json(ProjectView.of(project, ProjectRole.OWNER));
    }

    private void delete(Context ctx) {
        projects.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private void members(Context ctx) {
        var caller = Caller.of(ctx);
        var project = id(ctx);
        ctx.json(members.page(ctx, (after, limit) -> projects.members(caller, project, after.orElse(-1L), limit))
                .map(MemberView::of));
    }

    private record Put(String role) {

        ProjectRole parsed() {
            return switch (role) {
                case "viewer" -> ProjectRole.VIEWER;
                case "editor" -> ProjectRole.EDITOR;
                case "owner" -> ProjectRole.OWNER;
                default -> throw RecordsProblem.invalid("role", Text.of("records.field.role"));
            };
        }
    }

    private void put(Context ctx) {
        projects.put(
                Caller.of(ctx), id(ctx), user(ctx), Body.json(ctx, Put.class).parsed());
        ctx.status(204);
    }

    private void remove(Context ctx) {
        projects.remove(Caller.of(ctx), id(ctx), user(ctx));
        ctx.status(204);
    }

    private static ProjectId id(Context ctx) {
        return ProjectId.parse(ctx.pathParam("project"));
    }

    private static UserId user(Context ctx) {
        return UserId.parse(ctx.pathParam("user"));
    }

    private static String label(ProjectRole role) {
        return role.name().toLowerCase(Locale.ROOT);
    }
}
