package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.inbox.Action;
import io.hiroba.inbox.DeliveryMode;
import io.hiroba.inbox.InboxPreference;
import io.hiroba.inbox.InboxProblem;
import io.hiroba.inbox.InboxSettings;
import io.hiroba.inbox.SshKey;
import io.hiroba.inbox.SshKeys;
import io.hiroba.inbox.fanout.ExternalIdentities;
import io.hiroba.inbox.fanout.ExternalIdentity;
import io.hiroba.inbox.fanout.ExternalName;
import io.hiroba.inbox.fanout.IdentityId;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The pages of preferences, settings and linked accounts. */
final class InboxSettingsPages implements Routes {

    static final List<InboxOption> DELIVERIES = List.of(
            new InboxOption(DeliveryMode.ON.text(), "Inbox"),
            new InboxOption(DeliveryMode.EMAIL.text(), "Inbox and e-mail"),
            new InboxOption(DeliveryMode.OFF.text(), "Off"));

    private static final Set<Problem.Kind> FORM_PROBLEMS =
            Set.of(Problem.Kind.INVALID, Problem.Kind.CONFLICT, Problem.Kind.UNPROCESSABLE, Problem.Kind.RATE_LIMITED);

    private final Shell shell;
    private final Readers readers;
    private final InboxSettings settings;
    private final ExternalIdentities identities;
    private final SshKeys keys;
    private final FilterOptionStore options;

    InboxSettingsPages(
            Shell shell,
            Readers readers,
            InboxSettings settings,
            ExternalIdentities identities,
            SshKeys keys,
            FilterOptionStore options) {
        this.shell = shell;
        this.readers = readers;
        this.settings = settings;
        this.identities = identities;
        this.keys = keys;
        this.options = options;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(InboxNav.SETTINGS, ctx -> show(ctx, Form.EMPTY));
        routes.post(InboxNav.SETTINGS + "/moot", this::keepResolved);
        routes.post(InboxNav.SETTINGS + "/wishes", this::savePreference);
        routes.post(InboxNav.SETTINGS + "/wishes/remove", this::removePreference);
        routes.post(InboxNav.SETTINGS + "/names", this::claim);
        routes.post(InboxNav.SETTINGS + "/names/{id}/remove", this::unlink);
    }

    void show(Context ctx, Form form) {
        shell.page(ctx, "Inbox settings", "inbox/settings", Map.of("settings", form(ctx), "form", form));
    }

    /** Shows the form again with the problem, unless that is not about its fields. */
    void refused(Context ctx, Problem refusal, Form form) {
        if (!FORM_PROBLEMS.contains(refusal.kind())) {
            throw refusal;
        }
        shell.refused(ctx, refusal, InboxNav.SETTINGS);
        show(ctx, form.refused(refusal));
    }

    private void keepResolved(Context ctx) {
        boolean keep = ctx.formParam("keep") != null;
        settings.keepResolved(Caller.of(ctx), keep);
        shell.seeOther(
                ctx,
                InboxNav.SETTINGS,
                keep
                        ? "Resolved items stay until you dismiss them."
                        : "Resolved items are marked as done automatically.");
    }

    private void savePreference(Context ctx) {
        var delivery = DeliveryMode.find(text(ctx, "delivery"))
                .orElseThrow(() -> InboxProblem.invalid("delivery", "must be on, off or email"));
        settings.put(Caller.of(ctx), scope(ctx), delivery);
        shell.seeOther(ctx, InboxNav.SETTINGS, "Saved.");
    }

    private void removePreference(Context ctx) {
        settings.remove(Caller.of(ctx), scope(ctx));
        shell.seeOther(ctx, InboxNav.SETTINGS, "Removed.");
    }

    private static InboxPreference.Scope scope(Context ctx) {
        var namespace = text(ctx, "namespace");
        var action = text(ctx, "action");
        return new InboxPreference.Scope(
                namespace.isEmpty() ? null : NamespaceId.parse(namespace),
                action.isEmpty()
                        ? null
                        : Action.find(action).orElseThrow(() -> InboxProblem.invalid("action", "is unknown")));
    }

    private void claim(Context ctx) {
        var caller = Caller.of(ctx);
        var form = Form.of(ctx, "username");
        try {
            var typed = form.value("username").strip();
            // An at sign at the beginning belongs to a user name, not to an address.
            var name = typed.indexOf('@') > 0
                    ? ExternalName.email(null, Email.parse(typed))
                    : ExternalName.username(null, typed);
            var identity = identities.claim(caller, name);
            shell.seeOther(
                    ctx,
                    InboxNav.SETTINGS,
                    identity.waiting() ? "An admin has to confirm this account link." : "GitLab account linked.");
        } catch (Problem refusal) {
            refused(ctx, refusal, form);
        }
    }

    private void unlink(Context ctx) {
        identities.unlink(Caller.of(ctx), IdentityId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, InboxNav.SETTINGS, "GitLab account unlinked.");
    }

    private static String text(Context ctx, String name) {
        var value = ctx.formParam(name);
        return value == null ? "" : value;
    }

    private InboxSettingsForm form(Context ctx) {
        var caller = Caller.of(ctx);
        var clock = readers.reader(ctx);
        return new InboxSettingsForm(
                settings.preferences(caller).stream()
                        .map(InboxSettingsPages::entry)
                        .toList(),
                settings.keepsResolved(caller),
                options.namespaces(caller.user()),
                identities.of(caller.user()).stream()
                        .map(InboxSettingsPages::name)
                        .toList(),
                keys.of(caller.user()).stream().map(key -> key(key, clock)).toList(),
                readers.profile(ctx).orElseThrow().user().email().value(),
                clock.zone().getId());
    }

    private static InboxSettingsForm.Entry entry(InboxPreference preference) {
        var namespace = preference.scope().namespace();
        var action = preference.scope().action();
        var path = preference.path();
        return new InboxSettingsForm.Entry(
                namespace == null ? "" : namespace.hex(),
                action == null ? "" : action.text(),
                path == null ? "Everywhere" : path,
                action == null ? "Everything" : ItemText.label(action),
                label(preference.delivery()));
    }

    private static String label(DeliveryMode delivery) {
        return DELIVERIES.stream()
                .filter(choice -> choice.value().equals(delivery.text()))
                .map(InboxOption::label)
                .findFirst()
                .orElseThrow();
    }

    private static InboxSettingsForm.Name name(ExternalIdentity identity) {
        var username = identity.name().username();
        return new InboxSettingsForm.Name(
                identity.id().hex(),
                username == null ? String.valueOf(identity.name().email()) : "@" + username,
                identity.waiting() ? "Pending confirmation" : identity.confirmed() ? "Confirmed" : "Linked",
                identity.waiting());
    }

    private static InboxSettingsForm.Key key(SshKey key, Reader clock) {
        var expires = key.expiresAt();
        boolean expired = expires != null && !expires.isAfter(clock.now());
        return new InboxSettingsForm.Key(
                key.id().hex(),
                key.title(),
                key.fingerprint(),
                expires == null ? "Never expires" : (expired ? "Expired " : "Expires ") + clock.lastDay(expires),
                expired);
    }
}
