package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.NicknamePosition;
import io.hiroba.accounts.User;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.web.Avatar;
import io.hiroba.platform.web.SafeHtml;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the views of users, of their profiles and of lists of users. */
public final class UserDirectory {

    private static final int MAX_PREFIX_LENGTH = 50;

    private final Users users;
    private final Readers readers;
    private final KeysetList<User, NicknamePosition> list;

    public UserDirectory(Users users, Readers readers, Cursors cursors) {
        this.users = users;
        this.readers = readers;
        this.list = new KeysetList<>(
                cursors,
                "pages.users",
                NicknamePosition::of,
                user -> NicknamePosition.of(user).cursor());
    }

    /** The page that a request asks for by {@code prefix} and {@code after}. */
    UserListView page(Context ctx, Caller caller) {
        var prefix = prefix(ctx.queryParam("prefix"));
        var page = list.page(ctx, (after, limit) -> users.list(prefix, after, limit));
        var more = page.next() == null
                ? null
                : ctx.path() + "?prefix=" + URLEncoder.encode(prefix, StandardCharsets.UTF_8) + "&after=" + page.next();
        return new UserListView(
                prefix,
                page.items().stream().map(user -> view(ctx, caller, user)).toList(),
                more);
    }

    PersonView view(Context ctx, Caller caller, User user) {
        var email = caller.mayChange(user.id())
                ? user.email().value()
                : user.email().masked();
        return new PersonView(
                user.id().hex(),
                user.nickname().value(),
                user.avatar(),
                email,
                user.kind() == User.Kind.AGENT,
                user.admin(),
                readers.reader(ctx).date(user.createdAt()));
    }

    public ProfileView profile(Context ctx, Caller caller, UserId id) {
        var profile = users.profile(id);
        boolean own = caller.user().equals(id);
        return new ProfileView(
                view(ctx, caller, profile.user()),
                SafeHtml.ofMarkdown(profile.introduction()),
                profile.user().aiModel(),
                caller.mayChange(id) ? profile.aiPersonality() : null,
                own,
                caller.admin() && !own && caller.session().isPresent());
    }

    private static String prefix(@Nullable String typed) {
        var prefix = typed == null ? "" : typed.strip();
        return prefix.substring(0, Math.min(prefix.length(), MAX_PREFIX_LENGTH));
    }

    /**
     * A page of users whose nickname begins with something.
     *
     * @param more the address of the next page, if there is one
     */
    public record UserListView(
            String prefix, List<PersonView> items, @Nullable String more) {

        public UserListView {
            items = List.copyOf(items);
        }
    }

    /** The view of a user in lists; the e-mail is masked unless the reader may see it. */
    public record PersonView(
            String id,
            String nickname,
            @Nullable String picture,
            String email,
            boolean isAgent,
            boolean isAdmin,
            String joined) {

        public Avatar avatar() {
            return Avatar.of(id, nickname, picture);
        }
    }

    /** The view of a profile for a reader. */
    public record ProfileView(
            PersonView person,
            SafeHtml introduction,
            @Nullable String aiModel,
            @Nullable String aiPersonality,
            boolean isOwn,
            boolean mayActAs) {}
}
