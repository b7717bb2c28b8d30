package io.hiroba.inbox.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Email;
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
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.web.Form;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The pages of preferences, settings and linked accounts. */
final class InboxSettingsPages implements Routes {

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
        shell.page(ctx, Text.of("inbox.settings-title"), "inbox/settings", Map.of("settings", form(ctx), "form", form));
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
                keep ? Text.of("inbox.resolved-kept") : Text.of("inbox.resolved-automatically"));
    }

    private void savePreference(Context ctx) {
        var delivery = DeliveryMode.find(text(ctx, "delivery"))
                .orElseThrow(() -> InboxProblem.notOneOf(
                        "delivery", Stream.of(DeliveryMode.values()).map(DeliveryMode::text)));
        settings.put(Caller.of(ctx), scope(ctx), delivery);
        shell.seeOther(ctx, InboxNav.SETTINGS, Text.of("inbox.settings-saved"));
    }

    private void removePreference(Context ctx) {
        settings.remove(Caller.of(ctx), scope(ctx));
        shell.seeOther(ctx, InboxNav.SETTINGS, Text.of("inbox.preference-removed"));
    }

    private static InboxPreference.Scope scope(Context ctx) {
        var namespace = text(ctx, "namespace");
        var action = text(ctx, "action");
        return new InboxPreference.Scope(
                namespace.isEmpty() ? null : NamespaceId.parse(namespace),
                action.isEmpty()
                        ? null
                        : Action.find(action)
                                .orElseThrow(() -> InboxProblem.invalid("action", Text.of("http.field.unknown"))));
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
                    identity.waiting() ? Text.of("inbox.link-pending") : Text.of("inbox.link-made"));
        } catch (Problem refusal) {
            refused(ctx, refusal, form);
        }
    }

    private void unlink(Context ctx) {
        identities.unlink(Caller.of(ctx), IdentityId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, InboxNav.SETTINGS, Text.of("inbox.link-removed"));
    }

    private static String text(Context ctx, String name) {
        var value = ctx.formParam(name);
        return value == null ? "" : value;
    }

    private InboxSettingsForm form(Context ctx) {
        var caller = Caller.of(ctx);
        var reader = readers.reader(ctx);
        return new InboxSettingsForm(
                settings.preferences(caller).stream()
                        .map(preference -> entry(preference, reader))
                        .toList(),
                settings.keepsResolved(caller),
                options.namespaces(caller.user()),
                identities.of(caller.user()).stream()
                        .map(identity -> name(identity, reader))
                        .toList(),
                keys.of(caller.user()).stream().map(key -> key(key, reader)).toList(),
                readers.profile(ctx).orElseThrow().user().email().value(),
                reader);
    }

    private static InboxSettingsForm.Entry entry(InboxPreference preference, Reader reader) {
        var namespace = preference.scope().namespace();
        var action = preference.scope().action();
        var path = preference.path();
        return new InboxSettingsForm.Entry(
                namespace == null ? "" : namespace.hex(),
                action == null ? "" : action.text(),
                path == null ? reader.text("inbox.everywhere") : path,
                action == null ? reader.text("inbox.everything") : reader.text(ItemText.label(action)),
                reader.text(InboxSettingsForm.label(preference.delivery())));
    }

    private static InboxSettingsForm.Name name(ExternalIdentity identity, Reader reader) {
        var username = identity.name().username();
        return new InboxSettingsForm.Name(
                identity.id().hex(),
                username == null ? String.valueOf(identity.name().email()) : "@" + username,
                reader.text(status(identity)),
                identity.waiting());
    }

    private static Text status(ExternalIdentity identity) {
        if (identity.waiting()) {
            return Text.of("inbox.account-pending");
        }
        return identity.confirmed() ? Text.of("inbox.account-confirmed") : Text.of("inbox.account-linked");
    }

    private static InboxSettingsForm.Key key(SshKey key, Reader reader) {
        var expires = key.expiresAt();
        boolean expired = expires != null && !expires.isAfter(reader.now());
        return new InboxSettingsForm.Key(
                key.id().hex(),
                key.title(),
                key.fingerprint(),
                expires == null ? reader.text("inbox.never-expires") : expiry(reader.lastDay(expires), expired, reader),
                expired);
    }

    private static String expiry(String day, boolean expired, Reader reader) {
        return expired ? reader.text("inbox.expired", "day", day) : reader.text("inbox.expires", "day", day);
    }
}
