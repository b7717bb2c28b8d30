package io.hiroba.records.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Namesakes;
import io.hiroba.accounts.User;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Avatar;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.ProjectAccess;
import io.hiroba.records.ProjectRole;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;

/** The members of a project and their roles. */
public final class MemberPages implements Routes {

    private static final int PAGE = 50;
    private static final int MAX_LIMIT = 100;

    private final Shell shell;
    private final PageContext context;
    private final Projects projects;
    private final Users users;
    private final KeysetList<Projects.Member, Long> list;

    MemberPages(Shell shell, PageContext context, Projects projects, Users users, Cursors cursors) {
        this.shell = shell;
        this.context = context;
        this.projects = projects;
        this.users = users;
        this.list = new KeysetList<>(
                cursors,
                "pages.project-members",
                PAGE,
                MAX_LIMIT,
                cursor -> UserId.parse(cursor.text(0)).value(),
                last -> Cursor.of(last.user().hex()));
    }

    /** A member of a project in a list, or a candidate. */
    public record Item(String id, String nickname, Avatar avatar, String role, boolean isSelf) {

        static Item of(Projects.Member member, UserId reader) {
            return new Item(
                    member.user().hex(),
                    member.nickname(),
                    Avatar.of(member.user().hex(), member.nickname(), member.avatar()),
                    ProjectHeader.label(member.role()),
                    member.user().equals(reader));
        }

        static Item of(User user) {
            var id = user.id().hex();
            var nickname = user.nickname().value();
            return new Item(id, nickname, Avatar.of(id, nickname, user.avatar()), "", false);
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(RecordPaths.PROJECT + "/-/members", ctx -> show(ctx, context.project(ctx), Form.EMPTY, List.of()));
        routes.post(RecordPaths.PROJECT + "/-/members", this::add);
        routes.post(RecordPaths.PROJECT + "/-/members/{user}", this::change);
        routes.post(RecordPaths.PROJECT + "/-/members/{user}/remove", this::remove);
    }

    private void add(Context ctx) {
        var access = context.project(ctx).requireOwner();
        var form = Form.of(ctx, "who", "role");
        var found = Namesakes.of(users, form.value("who"));
        if (found.size() > 1) {
            show(ctx, access, form, found.stream().map(Item::of).toList());
            return;
        }
        try {
            var user = found.stream()
                    .findFirst()
                    .orElseThrow(() -> RecordsProblem.invalid("who", Text.of("records.member-nobody")));
            projects.put(Caller.of(ctx), access.project().id(), user.id(), role(form.value("role")));
            shell.seeOther(
                    ctx,
                    members(access),
                    Text.of("records.member-added", "name", user.nickname().value()));
        } catch (Problem refusal) {
            showAgain(ctx, access, form, refusal);
        }
    }

    private void change(Context ctx) {
        var access = context.project(ctx);
        try {
            var role = role(Form.of(ctx, "role").value("role"));
            projects.put(Caller.of(ctx), access.project().id(), user(ctx), role);
            shell.seeOther(ctx, members(access), Text.of("records.member-role-changed"));
        } catch (Problem refusal) {
            showAgain(ctx, access, Form.EMPTY, refusal);
        }
    }

    private void remove(Context ctx) {
        var access = context.project(ctx);
        var user = user(ctx);
        try {
            projects.remove(Caller.of(ctx), access.project().id(), user);
            if (user.equals(access.user()) && !access.caller().admin()) {
                shell.seeOther(ctx, RecordPaths.ALL, Text.of("records.member-left"));
            } else {
                shell.seeOther(ctx, members(access), Text.of("records.member-removed"));
            }
        } catch (Problem refusal) {
            showAgain(ctx, access, Form.EMPTY, refusal);
        }
    }

    private void showAgain(Context ctx, ProjectAccess access, Form form, Problem refusal) {
        if (!PageContext.belongsToForm(refusal)) {
            throw refusal;
        }
        shell.refused(ctx, refusal, members(access));
        show(ctx, access, form.refused(refusal), List.of());
    }

    private void show(Context ctx, ProjectAccess access, Form form, List<Item> found) {
        var shown = list.page(
                ctx,
                (after, limit) ->
                        projects.members(access.caller(), access.project().id(), after.orElse(-1L), limit));
        var more = shown.next() == null ? "" : members(access) + "?after=" + shown.next();
        shell.page(
                ctx,
                Text.of("records.members"),
                "records/members",
                Map.of(
                        "project",
                        ProjectHeader.of(access),
                        "form",
                        form,
                        "found",
                        found,
                        "members",
                        shown.items().stream()
                                .map(member -> Item.of(member, access.user()))
                                .toList(),
                        "more",
                        more));
    }

    private static ProjectRole role(String label) {
        return switch (label) {
            case "viewer" -> ProjectRole.VIEWER;
            case "editor" -> ProjectRole.EDITOR;
            case "owner" -> ProjectRole.OWNER;
            default ->
                throw RecordsProblem.invalid("role", Text.of("http.field.one-of", "values", "viewer, editor, owner"));
        };
    }

    private static UserId user(Context ctx) {
        return UserId.parse(ctx.pathParam("user"));
    }

    private static String members(ProjectAccess access) {
        return RecordPaths.part(access.project().id(), "members");
    }
}
