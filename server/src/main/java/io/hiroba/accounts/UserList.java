package io.hiroba.accounts;

import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpProblem;
import io.hiroba.platform.http.KeysetList;
import io.hiroba.platform.http.Page;
import io.hiroba.platform.i18n.Text;
import io.javalin.http.Context;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** The list of users that requests page through, by name or by the time of sign-up, with the counts of each. */
public final class UserList {

    private final Users users;
    private final UserCounts counts;
    private final KeysetList<User, NicknamePosition> byName;
    private final KeysetList<User, UserId> newestFirst;
    private final KeysetList<User, UserId> oldestFirst;
    private final Map<Filter, KeysetList<User, UserId>> filtered;

    UserList(Users users, UserCounts counts, Cursors cursors) {
        this.users = users;
        this.counts = counts;
        this.byName = new KeysetList<>(
                cursors,
                "users",
                NicknamePosition::of,
                user -> NicknamePosition.of(user).cursor());
        this.newestFirst = byTime(cursors, Order.NEWEST.value());
        this.oldestFirst = byTime(cursors, Order.OLDEST.value());
        this.filtered = Arrays.stream(Filter.values())
                .collect(Collectors.toMap(filter -> filter, filter -> byTime(cursors, filter.value())));
    }

    private static KeysetList<User, UserId> byTime(Cursors cursors, String name) {
        return new KeysetList<>(
                cursors,
                "users " + name,
                cursor -> new UserId(cursor.number(0)),
                user -> Cursor.of(Long.toString(user.id().value())));
    }

    /**
     * The page that a request asks for.
     *
     * @param prefix how the nickname begins; no index serves it in an order other than by name, so then it must be empty
     */
    public Page<Row> page(Context ctx, String prefix, Order order) {
        if (order != Order.NAME && !prefix.isEmpty()) {
            throw HttpProblem.invalid("order", Text.of("accounts.field.order-of-prefix"));
        }
        var page = switch (order) {
            case NAME -> byName.page(ctx, (after, limit) -> users.list(prefix, after, limit));
            case NEWEST -> newestFirst.page(ctx, users::newest);
            case OLDEST -> oldestFirst.page(ctx, users::oldest);
        };
        return counted(page);
    }

    /** The page that a request asks for, of those whom {@code filter} names, the latest first. */
    public Page<Row> page(Context ctx, Caller caller, Filter filter) {
        return counted(Objects.requireNonNull(filtered.get(filter))
                .page(ctx, (after, limit) -> users.filtered(caller, filter, after, limit)));
    }

    /** The counts of one user. */
    public UserCounts.Counts counts(UserId user) {
        return counts.of(List.of(user)).getOrDefault(user, UserCounts.Counts.ZERO);
    }

    private Page<Row> counted(Page<User> page) {
        var counted = counts.of(page.items().stream().map(User::id).toList());
        return page.map(user -> new Row(user, counted.getOrDefault(user.id(), UserCounts.Counts.ZERO)));
    }

    /** A user in the list. */
    public record Row(User user, UserCounts.Counts counts) {}

    /** A part of the users. */
    public enum Filter {
        ADMINS,
        SUSPENDED,
        AGENTS;

        /** The value of the parameter {@code filter}. */
        public String value() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The filter of this value, if there is one. */
        public static Optional<Filter> of(String value) {
            return Arrays.stream(values())
                    .filter(filter -> filter.value().equals(value))
                    .findFirst();
        }

        /** All values, for a problem to name. */
        static String all() {
            return Arrays.stream(values()).map(Filter::value).collect(Collectors.joining(", "));
        }
    }

    /** An order of the list. */
    public enum Order {
        NAME,
        NEWEST,
        OLDEST;

        /** The value of the parameter {@code order}. */
        public String value() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The order of this value, if there is one. */
        public static Optional<Order> of(String value) {
            return Arrays.stream(values())
                    .filter(order -> order.value().equals(value))
                    .findFirst();
        }

        /** All values, for a problem to name. */
        static String all() {
            return Arrays.stream(values()).map(Order::value).collect(Collectors.joining(", "));
        }
    }
}
