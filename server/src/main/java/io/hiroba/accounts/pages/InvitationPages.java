package io.hiroba.accounts.pages;

import io.hiroba.accounts.AccountsProblem;
import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.accounts.Invitations;
import io.hiroba.accounts.Invitations.Invitation;
import io.hiroba.accounts.Invitations.InvitationId;
import io.hiroba.accounts.Invitations.NewInvitation;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The pages that create, list and revoke invitations: of everybody for admins, and their own for members. */
public final class InvitationPages implements Routes {

    static final String OF_ADMINS = "/admin/invitations";
    static final String OF_MEMBERS = "/settings/invitations";

    private static final int MAX_SHOWN = 100;
    private static final Map<String, String> DEFAULTS = Map.of("days", "7", "uses", "1");

    private final Shell shell;
    private final Readers readers;
    private final Users users;
    private final Invitations invitations;
    private final String publicUrl;

    /** @param publicUrl the public address; empty to take it from the request */
    InvitationPages(Shell shell, Readers readers, Users users, Invitations invitations, String publicUrl) {
        this.shell = shell;
        this.readers = readers;
        this.users = users;
        this.invitations = invitations;
        this.publicUrl = publicUrl;
    }

    @Override
    public void register(RoutesConfig routes) {
        for (var path : List.of(OF_ADMINS, OF_MEMBERS)) {
            routes.get(path, ctx -> show(ctx, path, Form.filled(DEFAULTS), null));
            routes.post(path, ctx -> create(ctx, path));
            routes.post(path + "/{id}/revoke", ctx -> revoke(ctx, path));
        }
    }

    private void create(Context ctx, String path) {
        var caller = caller(ctx, path);
        var form = Form.of(ctx, "email", "note", "uses", "days");
        try {
            var email = form.value("email").isBlank() ? null : Email.parse(form.value("email"));
            var expiresAt = readers.reader(ctx).now().plus(Duration.ofDays(number("days", form.value("days"), 365)));
            int uses = email == null ? number("uses", form.value("uses"), Invitations.MAX_USES) : 1;
            var issued = invitations.create(
                    caller, readers.language(ctx), new NewInvitation(email, form.value("note"), uses, expiresAt));
            if (email == null) {
                show(ctx, path, Form.filled(DEFAULTS), link(ctx, issued.secret().orElseThrow()));
            } else {
                shell.seeOther(
                        ctx,
                        path,
                        Text.of(
                                issued.hasAccount()
                                        ? "accounts.invitations-mailed-known"
                                        : "accounts.invitations-mailed",
                                "email",
                                email));
            }
        } catch (Problem refusal) {
            shell.refused(ctx, refusal);
            show(ctx, path, form.refused(refusal), null);
        }
    }

    private static int number(String field, String typed, int max) {
        try {
            int number = Integer.parseInt(typed.strip());
            if (number >= 1 && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Answered below, as a number out of range is.
        }
        throw AccountsProblem.invalid(field, Text.of("accounts.field.uses", "max", max));
    }

    private void revoke(Context ctx, String path) {
        invitations.revoke(caller(ctx, path), InvitationId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, path, Text.of("accounts.invitations-revoked"));
    }

    private static Caller caller(Context ctx, String path) {
        var caller = Caller.of(ctx);
        if (path.equals(OF_ADMINS)) {
            caller.requireAdmin();
        }
        return caller;
    }

    private String link(Context ctx, String secret) {
        var base = publicUrl.isEmpty() ? ctx.scheme() + "://" + ctx.host() : publicUrl;
        return base + Invitations.path(secret);
    }

    private void show(Context ctx, String path, Form form, @Nullable String created) {
        var caller = caller(ctx, path);
        var reader = readers.reader(ctx);
        var hosts = new HashMap<UserId, String>();
        var views = invitations.list(caller, Optional.empty(), MAX_SHOWN).stream()
                .map(invitation ->
                        view(invitation, hosts.computeIfAbsent(invitation.createdBy(), this::nickname), reader))
                .toList();
        shell.page(
                ctx,
                Text.of("accounts.invitations"),
                path.equals(OF_ADMINS) ? "accounts/admin-invitations" : "accounts/settings-invitations",
                Map.of(
                        "invitations",
                        new InvitationsView(
                                path, form, views, created == null ? "" : created, invitations.mayInvite(caller))));
    }

    private String nickname(UserId user) {
        return users.find(user).map(found -> found.user().nickname().value()).orElse("");
    }

    private static InvitationView view(Invitation invitation, String host, Reader reader) {
        return new InvitationView(
                invitation.id().hex(),
                name(invitation, reader),
                reader.text(
                        "accounts.invitations-about",
                        "host",
                        host,
                        "date",
                        reader.date(invitation.id().createdAt()),
                        "uses",
                        invitation.uses(),
                        "max",
                        invitation.maxUses()),
                state(invitation, reader),
                invitation.isOpen(reader.now()),
                invitation.usedBy().stream()
                        .map(use ->
                                new GuestView(use.user().hex(), use.nickname().value()))
                        .toList());
    }

    private static String name(Invitation invitation, Reader reader) {
        var email = invitation.email();
        if (!invitation.note().isEmpty()) {
            return email == null ? invitation.note() : invitation.note() + " · " + email;
        }
        return email == null ? reader.text("accounts.invitations-link") : email.value();
    }

    private static String state(Invitation invitation, Reader reader) {
        if (invitation.revokedAt() != null) {
            return reader.text("accounts.invitations-state-revoked");
        }
        if (invitation.uses() >= invitation.maxUses()) {
            return reader.text("accounts.invitations-state-used");
        }
        return invitation.isOpen(reader.now())
                ? reader.text("accounts.invitations-state-open", "date", reader.dateTime(invitation.expiresAt()))
                : reader.text("accounts.invitations-state-expired");
    }

    /**
     * The view of a list of invitations.
     *
     * @param path of the page
     * @param created the link of the invitation that was just created; empty for none
     * @param mayInvite whether there is a form
     */
    public record InvitationsView(
            String path, Form form, List<InvitationView> items, String created, boolean mayInvite) {

        public InvitationsView {
            items = List.copyOf(items);
        }
    }

    /** The view of an invitation. */
    public record InvitationView(
            String id, String name, String about, String state, boolean isOpen, List<GuestView> guests) {

        public InvitationView {
            guests = List.copyOf(guests);
        }
    }

    /** The view of somebody who was invited. */
    public record GuestView(String id, String nickname) {}
}
