package io.hiroba.knowledge.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.sessions.SessionFilter;
import io.hiroba.knowledge.sessions.SessionPosition;
import io.hiroba.knowledge.sessions.Sessions;
import io.hiroba.platform.http.Cursor;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.PageRequest;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;

/** Somebody's conversations by their last activity: one's own, or the public ones of another. */
public final class SessionListPages implements Routes {

    private static final int PAGE = 30;
    private static final int MOST = 100;
    private static final String LIST = "pages.knowledge-sessions";

    private final Shell shell;
    private final Times times;
    private final Sessions sessions;
    private final Cursors cursors;

    public SessionListPages(Shell shell, Times times, Sessions sessions, Cursors cursors) {
        this.shell = shell;
        this.times = times;
        this.sessions = sessions;
        this.cursors = cursors;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get(Paths.SESSIONS, this::show);
    }

    private void show(Context ctx) {
        var caller = Caller.of(ctx);
        var given = Optional.ofNullable(ctx.queryParam("owner")).orElse("");
        var owner = given.isEmpty() ? caller.user() : UserId.parse(given);
        var request = PageRequest.of(ctx, PAGE, MOST);
        var after = cursors.read(LIST, request).map(cursor -> SessionPosition.of(cursor.number(0), cursor.number(1)));
        // One more than is shown tells whether there is another page.
        var found = sessions.list(caller, new SessionFilter(owner, null, null), after, request.limit() + 1);
        var shown = found.subList(0, Math.min(found.size(), request.limit()));
        var more = found.size() > shown.size()
                ? Address.of(Paths.SESSIONS)
                        .with("owner", given)
                        .with("after", cursor(SessionPosition.of(shown.getLast())))
                        .text()
                : "";
        var when = times.of(ctx);
        var items = shown.stream().map(session -> SessionItem.of(session, when)).toList();
        shell.page(ctx, "Conversations", "knowledge/sessions", Map.of("sessions", items, "more", more));
    }

    private String cursor(SessionPosition last) {
        return cursors.write(
                LIST,
                Cursor.of(Long.toString(last.micros()), Long.toString(last.id().value())));
    }
}
