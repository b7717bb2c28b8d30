package io.hiroba.activity;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.pages.Readers;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.hiroba.social.Listed;
import io.hiroba.social.Position;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The settings page of notifications: muted kinds, the digest, and the lists of mutes and follows. */
public final class NotificationSettingsPages implements Routes {

    static final String PATH = "/settings/notifications";

    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 50;

    private final Shell shell;
    private final Readers readers;
    private final NotificationSettings settings;
    private final MutesAndFollows mutesAndFollows;
    private final Cursors cursors;

    NotificationSettingsPages(
            Shell shell,
            Readers readers,
            NotificationSettings settings,
            MutesAndFollows mutesAndFollows,
            Cursors cursors) {
        this.shell = shell;
        this.readers = readers;
        this.settings = settings;
        this.mutesAndFollows = mutesAndFollows;
        this.cursors = cursors;
    }

    /**
     * The form of the preferences.
     *
     * @param email the address that digests go to
     * @param next when the next one is sent, if one is
     * @param zone the time zone of that
     */
    public record SettingsView(
            Preferences preferences, String email, @Nullable String next, String zone) {

        public boolean isEnabled(NotificationKind kind) {
            return !preferences.mutedKinds().contains(kind);
        }
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(PATH, this::show);
        routes.post(PATH, this::save);
    }

    private void show(Context ctx) {
        var user = Caller.of(ctx).user();
        var reader = readers.reader(ctx);
        // Not the reader's zone, which may be that of the browser: the digest is due on a morning of its own.
        var scheduled = new Reader(reader.language(), settings.digestZone(user), reader.now());
        var next = settings.nextDigest(user).map(scheduled::longDateTime).orElse(null);
        var email = readers.profile(ctx).orElseThrow().user().email().value();
        var view = new SettingsView(settings.of(user), email, next, scheduled.zoneName());
        shell.page(
                ctx,
                Text.of("activity.title"),
                "activity/settings",
                Map.of("settings", view, "lists", lists(ctx, reader)));
    }

    private void save(Context ctx) {
        var caller = Caller.of(ctx);
        var enabled = ctx.formParams("told");
        var muted = Arrays.stream(NotificationKind.values())
                .filter(kind -> !enabled.contains(kind.text()))
                .collect(Collectors.toSet());
        var digest = DigestFrequency.find(String.valueOf(ctx.formParam("digest")))
                .orElseThrow(() -> ActivityProblem.invalid("digest", Text.of("activity.field.digest")));
        settings.replace(caller, new Preferences(muted, digest));
        shell.seeOther(ctx, PATH, Text.of("activity.settings.saved"));
    }

    private List<MuteFollowList> lists(Context ctx, Reader reader) {
        return Arrays.stream(MuteFollowList.Name.values())
                .map(name -> list(ctx, name, reader))
                .filter(list -> !list.items().isEmpty())
                .toList();
    }

    private MuteFollowList list(Context ctx, MuteFollowList.Name name, Reader reader) {
        return switch (name) {
            case PEOPLE -> list(ctx, name, mutesAndFollows::mutedPeople, MuteFollowList.Item::of, reader);
            case POSTS -> list(ctx, name, mutesAndFollows::mutedPosts, MuteFollowList.Item::of, reader);
            case FOLLOWED -> list(ctx, name, mutesAndFollows::followedPosts, MuteFollowList.Item::of, reader);
        };
    }

    private interface Finder<T> {
        List<Listed<T>> find(UserId user, Position after, int limit);
    }

    /** One list; the request's cursor is that of the list it names, the others begin at their first page. */
    private <T> MuteFollowList list(
            Context ctx,
            MuteFollowList.Name name,
            Finder<T> finder,
            BiFunction<T, Reader, MuteFollowList.Item> item,
            Reader reader) {
        var user = Caller.of(ctx).user();
        var requested = PageRequest.of(ctx, DEFAULT_LIMIT, MAX_LIMIT);
        var request = name.text().equals(ctx.queryParam("list"))
                ? requested
                : new PageRequest(requested.limit(), Optional.empty());
        var page = new KeysetList<Listed<T>, Position>(
                        cursors,
                        "pages.noted " + name.text(),
                        Position::of,
                        last -> last.position().cursor())
                .page(request, (after, limit) -> finder.find(user, after.orElse(Position.NEWEST), limit));
        var more = page.next() == null ? null : PATH + "?list=" + name.text() + "&after=" + page.next();
        return new MuteFollowList(
                name,
                page.items().stream()
                        .map(listed -> item.apply(listed.item(), reader))
                        .toList(),
                more);
    }
}
