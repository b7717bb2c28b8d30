package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.Suspensions;
import io.hiroba.accounts.Suspensions.AccountStatus;
import io.hiroba.accounts.User;
import io.hiroba.accounts.UserCounts;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.UserList;
import io.hiroba.accounts.UserList.Filter;
import io.hiroba.accounts.UserList.Order;
import io.hiroba.accounts.Users;
import io.hiroba.accounts.pages.SessionPages.SessionView;
import io.hiroba.accounts.pages.TokenPages.TokenView;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.web.Avatar;
import io.hiroba.platform.web.SafeHtml;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Builds the views of users, of their profiles and of lists of users. */
public final class UserDirectory {

    private static final int MAX_PREFIX_LENGTH = 50;

    private final Users users;
    private final Readers readers;
    private final UserList list;
    private final Suspensions suspensions;

    public UserDirectory(Users users, Readers readers, UserList list, Suspensions suspensions) {
        this.users = users;
        this.readers = readers;
        this.list = list;
        this.suspensions = suspensions;
    }

    /** The page that a request asks for by {@code prefix}, {@code order} and {@code after}; a prefix goes by name. */
    UserListView page(Context ctx, Caller caller) {
        var prefix = prefix(ctx.queryParam("prefix"));
        var order = Optional.ofNullable(ctx.queryParam("order"))
                .filter(given -> prefix.isEmpty())
                .flatMap(Order::of)
                .orElse(Order.NAME);
        var page = list.page(ctx, prefix, order);
        var more = page.next() == null
                ? null
                : ctx.path() + "?prefix=" + URLEncoder.encode(prefix, StandardCharsets.UTF_8) + "&order="
                        + order.value() + "&after=" + page.next();
        return new UserListView(
                prefix,
                order,
                page.items().stream()
                        .map(row -> new UserRow(view(ctx, caller, row.user()), row.counts()))
                        .toList(),
                more);
    }

    /** As {@link #page}, for the admin page: by {@code filter} too, and with what only admins see. */
    AdminListView adminPage(Context ctx, Caller caller) {
        var filter = Optional.ofNullable(ctx.queryParam("filter")).flatMap(Filter::of);
        var prefix = filter.isPresent() ? "" : prefix(ctx.queryParam("prefix"));
        var page = filter.isPresent()
                ? list.page(ctx, caller, filter.get())
                : list.page(ctx, prefix, prefix.isEmpty() ? Order.NEWEST : Order.NAME);
        var statuses = suspensions.statuses(
                caller, page.items().stream().map(row -> row.user().id()).toList());
        var more = page.next() == null
                ? null
                : ctx.path()
                        + filter.map(part -> "?filter=" + part.value())
                                .orElseGet(() -> "?prefix=" + URLEncoder.encode(prefix, StandardCharsets.UTF_8))
                        + "&after=" + page.next();
        var rows = page.items().stream()
                .map(row -> {
                    var status = statuses.getOrDefault(row.user().id(), AccountStatus.UNKNOWN);
                    var view = view(ctx, caller, row.user(), status.suspension() != null);
                    return new AdminRow(view, about(readers.reader(ctx), view, status.lastSeenAt()));
                })
                .toList();
        return new AdminListView(prefix, filter.orElse(null), rows, more);
    }

    static String about(Reader reader, PersonView person, @Nullable Instant seen) {
        return seen == null
                ? reader.text("accounts.users-never-seen", "joined", person.joined())
                : reader.text("accounts.users-seen", "joined", person.joined(), "seen", reader.ago(seen));
    }

    PersonView view(Context ctx, Caller caller, User user) {
        return view(ctx, caller, user, false);
    }

    PersonView view(Context ctx, Caller caller, User user, boolean suspended) {
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
                suspended,
                readers.reader(ctx).date(user.createdAt()));
    }

    /** The counts of one user. */
    public UserCounts.Counts counts(UserId id) {
        return list.counts(id);
    }

    public ProfileView profile(Context ctx, Caller caller, UserId id) {
        var profile = users.profile(id);
        boolean own = caller.user().equals(id);
        boolean suspended = caller.admin() && suspensions.status(caller, id).suspension() != null;
        return new ProfileView(
                view(ctx, caller, profile.user(), suspended),
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
     * A page of users, of all or of those whose nickname begins with something.
     *
     * @param more the address of the next page, if there is one
     */
    public record UserListView(
            String prefix,
            Order order,
            List<UserRow> items,
            @Nullable String more) {

        public UserListView {
            items = List.copyOf(items);
        }
    }

    /** A page of users for admins; without a filter it is of all or of those whose nickname begins with something. */
    public record AdminListView(
            String prefix,
            @Nullable Filter filter,
            List<AdminRow> items,
            @Nullable String more) {

        public AdminListView {
            items = List.copyOf(items);
        }
    }

    /** The view of a user in the list for admins. */
    public record AdminRow(PersonView person, String about) {}

    /** The view of a user in the list of users. */
    public record UserRow(PersonView person, UserCounts.Counts counts) {}

    /** The view of a user; the e-mail is masked unless the reader may see it, and only admins are shown who is suspended. */
    public record PersonView(
            String id,
            String nickname,
            @Nullable String picture,
            String email,
            boolean isAgent,
            boolean isAdmin,
            boolean isSuspended,
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

    /** The view of a suspension: a sentence of its times and who decided it, and the reason. */
    public record SuspendedView(String about, String reason) {}

    /** The view of an account for admins. */
    public record AccountView(
            PersonView person,
            String about,
            boolean isOwn,
            @Nullable SuspendedView suspension,
            List<SessionView> sessions,
            List<TokenView> tokens,
            boolean hasSecondFactor) {

        public AccountView {
            sessions = List.copyOf(sessions);
            tokens = List.copyOf(tokens);
        }
    }
}
