package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.NicknamePosition;
import io.hiroba.accounts.User;
import io.hiroba.accounts.UserId;
import io.hiroba.accounts.Users;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.javalin.http.Context;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists of users as pages show them. */
public final class People {

    private static final String LIST = "pages.users";
    private static final int PAGE = 20;
    private static final int MOST = 100;
    private static final int LONGEST_PREFIX = 50;

    private final Users users;
    private final Readers readers;
    private final Cursors cursors;
    private final InstantSource clock;

    public People(Users users, Readers readers, Cursors cursors, InstantSource clock) {
        this.users = users;
        this.readers = readers;
        this.cursors = cursors;
        this.clock = clock;
    }

    /** The page that a request asks for by {@code prefix} and {@code after}. */
    PeopleView page(Context ctx, Caller caller) {
        var request = PageRequest.of(ctx, PAGE, MOST);
        var prefix = prefix(ctx.queryParam("prefix"));
        var after = cursors.read(LIST, request)
                .map(cursor -> new NicknamePosition(cursor.text(0), new UserId(cursor.number(1))));
        // One more than is shown tells whether there is another page.
        var found = users.list(prefix, after, request.limit() + 1);
        var shown = found.subList(0, Math.min(found.size(), request.limit()));
        var more = found.size() > shown.size() ? more(ctx.path(), prefix, shown.getLast()) : null;
        return new PeopleView(prefix, views(ctx, caller, shown), more);
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
                new ReaderClock(clock.instant(), readers.zone(ctx)).date(user.createdAt()));
    }

    private List<PersonView> views(Context ctx, Caller caller, List<User> found) {
        return found.stream().map(user -> view(ctx, caller, user)).toList();
    }

    private String more(String path, String prefix, User last) {
        var position = NicknamePosition.of(last);
        var cursor = Cursor.of(position.nickname(), Long.toString(position.id().value()));
        return path + "?prefix=" + URLEncoder.encode(prefix, StandardCharsets.UTF_8) + "&after="
                + cursors.write(LIST, cursor);
    }

    private static String prefix(@Nullable String typed) {
        var prefix = typed == null ? "" : typed.strip();
        return prefix.substring(0, Math.min(prefix.length(), LONGEST_PREFIX));
    }
}
