package io.hiroba.inbox;

import io.hiroba.accounts.Caller;
import io.hiroba.inbox.fanout.NamespaceId;
import io.hiroba.platform.http.Body;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.Ids;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The API of preferences and settings. */
final class InboxSettingsRoutes implements Routes {

    private static final String PREFERENCES = "/api/v1/inbox/preferences";
    private static final String ONE = PREFERENCES + "/{namespace}/{action}";
    private static final String SETTINGS = "/api/v1/inbox/settings";

    /** The path segment for all namespaces or all actions. */
    private static final String ALL = "all";

    private final InboxSettings settings;

    InboxSettingsRoutes(InboxSettings settings) {
        this.settings = settings;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PREFERENCES, ctx -> ctx.json(view(settings.preferences(Caller.of(ctx)))));
        routes.put(PREFERENCES, this::replace);
        routes.put(ONE, this::put);
        routes.delete(ONE, this::remove);
        routes.get(SETTINGS, ctx -> ctx.json(new SettingsView(settings.keepsResolved(Caller.of(ctx)))));
        routes.put(SETTINGS, this::keep);
    }

    /** A preference in requests and responses. */
    private record PreferenceView(
            @Nullable String namespace,
            @Nullable String path,
            @Nullable String action,
            String delivery) {

        static PreferenceView of(InboxPreference preference) {
            var namespace = preference.scope().namespace();
            var action = preference.scope().action();
            return new PreferenceView(
                    namespace == null ? null : namespace.hex(),
                    preference.path(),
                    action == null ? null : action.text(),
                    preference.delivery().text());
        }
    }

    private record PreferencesView(List<PreferenceView> preferences) {}

    private record DeliveryView(String delivery) {}

    private record SettingsView(boolean keepMoot) {}

    private static PreferencesView view(List<InboxPreference> preferences) {
        return new PreferencesView(preferences.stream().map(PreferenceView::of).toList());
    }

    private void replace(Context ctx) {
        var caller = Caller.of(ctx);
        var wanted = Body.json(ctx, PreferencesView.class).preferences().stream()
                .map(one -> Map.entry(scope(one.namespace(), one.action()), delivery(one.delivery())))
                .toList();
        ctx.json(view(settings.replace(caller, wanted)));
    }

    private void put(Context ctx) {
        var caller = Caller.of(ctx);
        settings.put(
                caller, scope(ctx), delivery(Body.json(ctx, DeliveryView.class).delivery()));
        ctx.status(204);
    }

    private void remove(Context ctx) {
        settings.remove(Caller.of(ctx), scope(ctx));
        ctx.status(204);
    }

    private void keep(Context ctx) {
        var caller = Caller.of(ctx);
        var wanted = Body.json(ctx, SettingsView.class);
        settings.keepResolved(caller, wanted.keepMoot());
        ctx.json(wanted);
    }

    private static InboxPreference.Scope scope(Context ctx) {
        var namespace = ctx.pathParam("namespace");
        var action = ctx.pathParam("action");
        if (!namespace.equals(ALL) && !Ids.isId(namespace)) {
            throw Ids.malformed("namespace");
        }
        return scope(namespace.equals(ALL) ? null : namespace, action.equals(ALL) ? null : action);
    }

    private static InboxPreference.Scope scope(@Nullable String namespace, @Nullable String action) {
        return new InboxPreference.Scope(
                namespace == null ? null : NamespaceId.parse(namespace),
                action == null
                        ? null
                        : Action.find(action)
                                .orElseThrow(() -> InboxProblem.invalid("action", Text.of("http.field.unknown"))));
    }

    private static DeliveryMode delivery(String text) {
        return DeliveryMode.find(text)
                .orElseThrow(() -> InboxProblem.notOneOf(
                        "delivery", Stream.of(DeliveryMode.values()).map(DeliveryMode::text)));
    }
}
