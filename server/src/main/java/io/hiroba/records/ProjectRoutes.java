package io.hiroba.records;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Answer;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.Idempotency;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Projects and their members over HTTP. */
public final class ProjectRoutes implements Routes {

    private static final String PATH = "/api/v1/projects";
    private static final String PROJECTS = "projects";
    private static final String MEMBERS = "project-members";
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;

    private final Projects projects;
    private final Idempotency idempotency;
    private final Cursors cursors;

    public ProjectRoutes(Projects projects, Idempotency idempotency, Cursors cursors) {
        this.projects = projects;
        this.idempotency = idempotency;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
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

        static ProjectView of(Project project, Role role) {
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

        static MemberView of(Member member) {
            return new MemberView(member.user().hex(), member.nickname(), member.avatar(), label(member.role()));
        }
    }

    private record Create(String name) {}

    private void create(Context ctx) {
        var caller = Caller.of(ctx);
        var name = Body.json(ctx, Create.class).name();
        idempotency.run(ctx, caller.user().hex(), tx -> {
            var project = projects.create(tx, caller, name);
            return Answer.created(PATH + "/" + project.id().hex(), ProjectView.of(project, Role.OWNER));
        });
    }

    private void list(Context ctx) {
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        long before = cursors.read(PROJECTS, request)
                .map(cursor -> ProjectId.parse(cursor.text(0)).value())
                .orElse(Long.MAX_VALUE);
        var found = projects.list(Caller.of(ctx), before, request.limit() + 1);
        ctx.json(Page.of(
                        found,
                        request.limit(),
                        last -> cursors.write(
                                PROJECTS, Cursor.of(last.project().id().hex())))
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
        ctx.json(ProjectView.of(project, Role.OWNER));
    }

    private void delete(Context ctx) {
        projects.delete(Caller.of(ctx), id(ctx));
        ctx.status(204);
    }

    private void members(Context ctx) {
        var request = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        long after = cursors.read(MEMBERS, request)
                .map(cursor -> UserId.parse(cursor.text(0)).value())
                .orElse(-1L);
        var found = projects.members(Caller.of(ctx), id(ctx), after, request.limit() + 1);
        ctx.json(Page.of(
                        found,
                        request.limit(),
                        last -> cursors.write(MEMBERS, Cursor.of(last.user().hex())))
                .map(MemberView::of));
    }

    private record Put(String role) {

        Role asked() {
            return switch (role) {
                case "viewer" -> Role.VIEWER;
                case "editor" -> Role.EDITOR;
                case "owner" -> Role.OWNER;
                default -> throw RecordsProblem.invalid("role", "must be viewer, editor or owner");
            };
        }
    }

    private void put(Context ctx) {
        projects.put(
                Caller.of(ctx), id(ctx), user(ctx), Body.json(ctx, Put.class).asked());
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

    private static String label(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }
}
