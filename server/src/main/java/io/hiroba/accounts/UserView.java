package io.hiroba.accounts;

import io.hiroba.platform.http.Json;
import io.hiroba.platform.markdown.Markdown;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The JSON of a user for one caller.
 *
 * @param email masked unless it is the caller's own or the caller is an admin
 * @param snippet the tree of the introduction's beginning
 */
record UserView(
        String id,
        String nickname,
        String kind,
        boolean isAdmin,
        String email,
        @Nullable String avatar,
        @Nullable String aiModel,
        JsonNode snippet,
        Instant createdAt,
        @Nullable Instant updatedAt) {

    /** The Markdown as it was written, and the HTML made of it, safe to be put into a page. */
    record Introduction(String markdown, String html) {}

    /** The JSON of a single user with their introduction; the last two are for the user and admins. */
    record Single(
            String id,
            String nickname,
            String kind,
            boolean isAdmin,
            String email,
            @Nullable String avatar,
            @Nullable String aiModel,
            JsonNode snippet,
            Introduction introduction,
            Instant createdAt,
            @Nullable Instant updatedAt,
            @Nullable String aiPersonality,
            @Nullable String timeZone) {}

    static UserView of(User user, Caller caller) {
        return new UserView(
                user.id().hex(),
                user.nickname().value(),
                user.kind().name().toLowerCase(Locale.ROOT),
                user.admin(),
                caller.mayChange(user.id())
                        ? user.email().value()
                        : user.email().masked(),
                user.avatar(),
                user.aiModel(),
                Json.mapper().readTree(user.snippet()),
                user.createdAt(),
                user.updatedAt());
    }

    static Single of(Profile profile, Caller caller) {
        return single(
                profile,
                of(profile.user(), caller),
                caller.mayChange(profile.user().id()));
    }

    private static Single single(Profile profile, UserView view, boolean all) {
        var zone = profile.timeZone();
        var html = Markdown.parse(profile.introduction()).html();
        return new Single(
                view.id(),
                view.nickname(),
                view.kind(),
                view.isAdmin(),
                view.email(),
                view.avatar(),
                view.aiModel(),
                view.snippet(),
                new Introduction(profile.introduction(), html),
                view.createdAt(),
                view.updatedAt(),
                all ? profile.aiPersonality() : null,
                all && zone != null ? zone.getId() : null);
    }
}
