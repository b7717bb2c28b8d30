package io.hiroba.accounts.pages;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.SessionId;
import io.hiroba.accounts.Sessions;
import io.hiroba.accounts.Sessions.LogIn;
import io.hiroba.accounts.UserSession;
import io.hiroba.platform.http.Routes;
import io.hiroba.platform.i18n.Reader;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.web.Shell;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Optional;

/** The settings page that lists and ends sessions. */
public final class SessionPages implements Routes {

    private static final int MAX_SHOWN = 100;
    private static final int MAX_LOG_INS = 20;

    private final Shell shell;
    private final Readers readers;
    private final Sessions sessions;

    SessionPages(Shell shell, Readers readers, Sessions sessions) {
        this.shell = shell;
        this.readers = readers;
        this.sessions = sessions;
    }

    @Override
    public void register(RoutesConfig routes) {
        routes.get("/settings/sessions", this::list);
        routes.post("/settings/sessions/{id}/revoke", this::revoke);
    }

    private void list(Context ctx) {
        var caller = Caller.of(ctx);
        var reader = readers.reader(ctx);
        var views = sessions.list(caller, Optional.empty(), MAX_SHOWN).stream()
                .map(session -> view(session, caller, reader))
                .toList();
        var logIns = sessions.logIns(caller, Optional.empty(), MAX_LOG_INS).stream()
                .map(logIn -> view(logIn, reader))
                .toList();
        shell.page(
                ctx,
                Text.of("accounts.sessions"),
                "accounts/settings-sessions",
                Map.of("sessions", views, "logIns", logIns));
    }

    private void revoke(Context ctx) {
        sessions.revoke(Caller.of(ctx), SessionId.parse(ctx.pathParam("id")));
        shell.seeOther(ctx, "/settings/sessions", Text.of("accounts.sessions-ended"));
    }

    static SessionView view(UserSession session, Caller caller, Reader reader) {
        var about = reader.text(
                "accounts.sessions-about",
                "date",
                reader.date(session.createdAt()),
                "seen",
                reader.ago(session.lastUsedAt()),
                "address",
                session.address());
        boolean current = caller.session().equals(Optional.of(session.id()));
        return new SessionView(session.id().hex(), reader.text(Device.name(session.agent())), about, current);
    }

    private static LogInView view(LogIn logIn, Reader reader) {
        return new LogInView(
                reader.text(Device.name(logIn.agent())),
                reader.text("accounts.log-ins-about", "when", reader.dateTime(logIn.at()), "address", logIn.address()));
    }

    /** The view of a log-in. */
    public record LogInView(String device, String about) {}

    /** The view of a session. */
    public record SessionView(String id, String device, String about, boolean isCurrent) {}
}
