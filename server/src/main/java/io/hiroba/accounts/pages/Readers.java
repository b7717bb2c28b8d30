package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Profile;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.web.BrowserSettings;
import io.hiroba.platform.web.Viewer;
import io.hiroba.platform.web.Viewers;
import io.javalin.http.Context;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the reader of a page, their profile, language and time zone, once a request. */
public final class Readers implements Viewers {

    private static final String READER = "hiroba.reader";
    private static final String PROFILE = "hiroba.reader-profile";

    private final Users users;
    private final InstantSource clock;
    private final ZoneId serverZone;

    /** @param serverZone for readers without a time zone */
    public Readers(Users users, InstantSource clock, ZoneId serverZone) {
        this.users = users;
        this.clock = clock;
        this.serverZone = serverZone;
    }

    @Override
    public Optional<Viewer> of(Context ctx) {
        return Caller.find(ctx).flatMap(caller -> profile(ctx).map(profile -> viewer(caller, profile)));
    }

    /** The profile of the reader, if somebody is signed in. */
    public Optional<Profile> profile(Context ctx) {
        Profile cached = ctx.attribute(PROFILE);
        if (cached != null) {
            return Optional.of(cached);
        }
        var found = Caller.find(ctx).flatMap(caller -> users.find(caller.user()));
        found.ifPresent(profile -> ctx.attribute(PROFILE, profile));
        return found;
    }

    public ZoneId zone(Context ctx) {
        return profile(ctx)
                .flatMap(profile -> Optional.ofNullable(profile.timeZone()))
                .or(() -> BrowserSettings.zone(ctx))
                .orElse(serverZone);
    }

    /** The language of the account, else the one that was chosen in the browser or that it asks for. */
    public Language language(Context ctx) {
        return profile(ctx)
                .flatMap(profile -> Optional.ofNullable(profile.language()))
                .orElseGet(() -> BrowserSettings.language(ctx));
    }

    @Override
    public Reader reader(Context ctx) {
        Reader cached = ctx.attribute(READER);
        if (cached != null) {
            return cached;
        }
        var reader = new Reader(language(ctx), zone(ctx), clock.instant());
        ctx.attribute(READER, reader);
        return reader;
    }

    @Override
    public void keepLanguage(Context ctx, Language language) {
        // An admin who acts as another must not change what that person reads in.
        Caller.find(ctx)
                .filter(caller -> !caller.acting())
                .ifPresent(caller -> users.setLanguage(caller.user(), language));
    }

    private Viewer viewer(Caller caller, Profile profile) {
        var user = profile.user();
        return new Viewer(
                user.id().hex(),
                user.nickname().value(),
                user.avatar(),
                caller.admin(),
                profile.timeZone() != null,
                nickname(caller.realAdmin()));
    }

    private @Nullable String nickname(@Nullable UserId admin) {
        return admin == null
                ? null
                : users.find(admin)
                        .map(found -> found.user().nickname().value())
                        .orElse(null);
    }
}
