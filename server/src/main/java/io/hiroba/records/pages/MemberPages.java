package io.hiroba.records.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.User;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.hiroba.records.Access;
import io.hiroba.records.Projects;
import io.hiroba.records.RecordsProblem;
import io.hiroba.records.Role;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Who belongs to a project, as what. */
public final class MemberPages implements Routes {

    private static final int PAGE = 50;
    private static final int MOST = 100;
    private static final int MOST_NAMESAKES = 10;
    private static final String LIST = "pages.project-members";
    private static final Pattern ID = Pattern.compile("[0-9A-Fa-f]{16}");

    private final Shell shell;
    private final Entrance entrance;
    private final Projects projects;
    private final Users users;
    private final Cursors cursors;

    public MemberPages(Shell shell, Entrance entrance, Projects projects, Users users, Cursors cursors) {
        this.shell = shell;
        this.entrance = entrance;
        this.projects = projects;
        this.users = users;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.PROJECT + "/-/members", ctx -> show(ctx, entrance.project(ctx), Form.EMPTY, List.of()));
        routes.post(Paths.PROJECT + "/-/members", this::add);
        routes.post(Paths.PROJECT + "/-/members/{user}", this::change);
        routes.post(Paths.PROJECT + "/-/members/{user}/remove", this::remove);
    }

    private void add(Context ctx) {
        var access = entrance.project(ctx).requireOwner();
        var form = Form.of(ctx, "who", "role");
        var found = called(form.value("who").strip());
        if (found.size() > 1) {
            show(ctx, access, form, found.stream().map(MemberItem::of).toList());
            return;
        }
        try {
            var user = found.stream()
                    .findFirst()
                    .orElseThrow(() -> RecordsProblem.invalid("who", "is the nickname or id of nobody here"));
            projects.put(Caller.of(ctx), access.project().id(), user.id(), role(form.value("role")));
            shell.seeOther(
                    ctx,
                    members(access),
                    "%s is a member now.".formatted(user.nickname().value()));
        } catch (Problem refusal) {
            showAgain(ctx, access, form, refusal);
        }
    }

    /** Nicknames need not be unique. */
    private List<User> called(String who) {
        if (ID.matcher(who).matches()) {
            var found = users.find(UserId.parse(who));
            if (found.isPresent()) {
                return List.of(found.get().user());
            }
        }
        return who.isEmpty()
                ? List.of()
                : users.list(who, Optional.empty(), MOST_NAMESAKES).stream()
                        .filter(user -> user.nickname().value().equalsIgnoreCase(who))
                        .toList();
    }

    private void change(Context ctx) {
        var access = entrance.project(ctx);
        try {
            var role = role(Form.of(ctx, "role").value("role"));
            projects.put(Caller.of(ctx), access.project().id(), user(ctx), role);
            shell.seeOther(ctx, members(access), "The role is changed.");
        } catch (Problem refusal) {
            showAgain(ctx, access, Form.EMPTY, refusal);
        }
    }

    private void remove(Context ctx) {
        var access = entrance.project(ctx);
        var user = user(ctx);
        try {
            projects.remove(Caller.of(ctx), access.project().id(), user);
            if (user.equals(access.user()) && !access.caller().admin()) {
                shell.seeOther(ctx, Paths.ALL, "You left the project.");
            } else {
                shell.seeOther(ctx, members(access), "No member any more.");
            }
        } catch (Problem refusal) {
            showAgain(ctx, access, Form.EMPTY, refusal);
        }
    }

    private void showAgain(Context ctx, Access access, Form form, Problem refusal) {
        if (!Entrance.belongsToForm(refusal)) {
            throw refusal;
        }
        shell.refused(ctx, refusal, members(access));
        show(ctx, access, form.refused(refusal), List.of());
    }

    private void show(Context ctx, Access access, Form form, List<MemberItem> found) {
        var request = PageRequest.of(ctx, PAGE, MOST);
        long after = cursors.read(LIST, request)
                .map(cursor -> UserId.parse(cursor.text(0)).value())
                .orElse(-1L);
        var all = projects.members(access.caller(), access.project().id(), after, request.limit() + 1);
        var shown = all.subList(0, Math.min(all.size(), request.limit()));
        var more = all.size() > shown.size()
                ? members(access) + "?after="
                        + cursors.write(LIST, Cursor.of(shown.getLast().user().hex()))
                : "";
        shell.page(
                ctx,
                "Members",
                "records/members",
                Map.of(
                        "project",
                        ProjectHead.of(access),
                        "form",
                        form,
                        "found",
                        found,
                        "members",
                        shown.stream()
                                .map(member -> MemberItem.of(member, access.user()))
                                .toList(),
                        "more",
                        more));
    }

    private static Role role(String label) {
        return switch (label) {
            case "viewer" -> Role.VIEWER;
            case "editor" -> Role.EDITOR;
            case "owner" -> Role.OWNER;
            default -> throw RecordsProblem.invalid("role", "must be viewer, editor or owner");
        };
    }

    private static UserId user(Context ctx) {
        return UserId.parse(ctx.pathParam("user"));
    }

    private static String members(Access access) {
        return Paths.part(access.project().id(), "members");
    }
}
