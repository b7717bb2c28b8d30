package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.people.ForeignName;
import io.hiroba.inbox.people.Identities;
import io.hiroba.inbox.people.IdentityId;
import io.hiroba.inbox.resources.NamespaceId;
import io.hiroba.inbox.settings.Delivery;
import io.hiroba.inbox.settings.InboxSettings;
import io.hiroba.inbox.settings.Scope;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Set;

/** What comes into somebody's inbox, and who they are elsewhere. */
public final class SettingsPages implements Routes {

    private final Shell shell;
    private final SettingsSheets sheets;
    private final InboxSettings settings;
    private final Identities identities;

    public SettingsPages(Shell shell, SettingsSheets sheets, InboxSettings settings, Identities identities) {
        this.shell = shell;
        this.sheets = sheets;
        this.settings = settings;
        this.identities = identities;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(InboxNav.SETTINGS, ctx -> show(ctx, Form.EMPTY));
        routes.post(InboxNav.SETTINGS + "/moot", this::keepMoot);
        routes.post(InboxNav.SETTINGS + "/wishes", this::wish);
        routes.post(InboxNav.SETTINGS + "/wishes/remove", this::unwish);
        routes.post(InboxNav.SETTINGS + "/names", this::claim);
        routes.post(InboxNav.SETTINGS + "/names/{id}/remove", this::drop);
    }

    void show(Context ctx, Form form) {
        shell.page(ctx, "Inbox settings", "inbox/settings", Map.of("settings", sheets.of(ctx), "form", form));
    }

    /** Shows the page again with what was refused, if that is for its form to say. */
    void refused(Context ctx, Problem refusal, Form form) {
        if (!SHOWN.contains(refusal.kind())) {
            throw refusal;
        }
        shell.refused(ctx, refusal, InboxNav.SETTINGS);
        show(ctx, form.refused(refusal));
    }

    private static final Set<Problem.Kind> SHOWN =
            Set.of(Problem.Kind.INVALID, Problem.Kind.CONFLICT, Problem.Kind.UNPROCESSABLE, Problem.Kind.RATE_LIMITED);

    private void keepMoot(Context ctx) {
        boolean keep = ctx.formParam("keep") != null;
        settings.keepMoot(Caller.of(ctx), keep);
        shell.seeOther(
                ctx,
                InboxNav.SETTINGS,
                keep ? "What is settled stays until you are done with it." : "What is settled goes by itself.");
    }

    private void wish(Context ctx) {
        var delivery = Delivery.find(text(ctx, "delivery"))
                .orElseThrow(() -> InboxProblem.invalid("delivery", "must be on, off or email"));
        settings.put(Caller.of(ctx), scope(ctx), delivery);
        shell.seeOther(ctx, InboxNav.SETTINGS, "Saved.");
    }

    private void unwish(Context ctx) {
        settings.remove(Caller.of(ctx), scope(ctx));
        shell.seeOther(ctx, InboxNav.SETTINGS, "Removed.");
    }

    private static Scope scope(Context ctx) {
        var namespace = text(ctx, "namespace");
        var action = text(ctx, "action");
        return new Scope(
                namespace.isEmpty() ? null : NamespaceId.parse(namespace),
                action.isEmpty()
                        ? null
                        : Action.find(action)
                                .orElseThrow(() -> InboxProblem.invalid("action", "is not one that there is")));
    }

    private void claim(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "username");
        try {
            var typed = form.value("username").strip();
            // An at sign before a user name is welcome, too.
            var name = typed.indexOf('@') > 0
                    ? ForeignName.email(null, Email.parse(typed))
                    : ForeignName.username(null, typed);
            var identity = identities.claim(caller, name);
            shell.seeOther(
                    ctx,
                    InboxNav.SETTINGS,
                    identity.waiting() ? "An admin has to confirm this name." : "The name is linked.");
        } catch (Problem refusal) {
            refused(ctx, refusal, form);
        }
    }

    private void drop(Context ctx) {
        identities.drop(Caller.of(ctx), IdentityId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, InboxNav.SETTINGS, "The name is not linked any more.");
    }

    private static String text(Context ctx, String name) {
        var value = ctx.formParam(name);
        return value == null ? "" : value;
    }
}
