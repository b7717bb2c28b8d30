package io.hiroba.accounts;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hiroba.accounts.AccountsConfig.SecondFactor;
import io.hiroba.platform.db.Db;
import io.hiroba.platform.http.OpenPaths;
import io.hiroba.platform.http.Routes;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.http.HttpStatus;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Keeps sessions of people who have to have a second factor, and have none, to the pages where one is added. API tokens pass:
 * programs cannot add one (ADR 70).
 */
final class SecondFactorGate implements Routes {

    private static final String PAGE = "/settings/security";
    private static final List<String> OPEN =
            List.of(PAGE, "/settings/confirm", "/login", "/logout", "/theme", "/language", "/admin/act-as/end");
    private static final Set<HandlerType> READING = Set.of(HandlerType.GET, HandlerType.HEAD);
    private static final int MAX_ENTRIES = 10_000;

    private final Db db;
    private final SecondFactor required;
    private final Revocations revocations;
    private final SecondFactorStore store = new SecondFactorStore();
    // Those who have one; adding and removing one counts as a revocation.
    private final Cache<Enrolled, Boolean> enrolled = Caffeine.newBuilder()
            .maximumSize(MAX_ENTRIES)
            .expireAfterWrite(Duration.ofMinutes(1))
            .build();

    private record Enrolled(UserId user, long revocations) {}

    SecondFactorGate(Db db, SecondFactor required, Revocations revocations) {
        this.db = db;
        this.required = required;
        this.revocations = revocations;
    }

    @Override
    public void register(RoutesConfig routes) {
        if (required != SecondFactor.OPTIONAL) {
            routes.before("/*", this::check);
        }
    }

    private void check(Context ctx) {
        var path = ctx.path();
        if (OpenPaths.include(path)
                || OPEN.stream().anyMatch(open -> path.equals(open) || path.startsWith(open + "/"))) {
            return;
        }
        if (Caller.find(ctx).filter(this::isKeptOut).isEmpty() || isLogOut(ctx)) {
            return;
        }
        if (path.startsWith("/api/") || !READING.contains(ctx.method())) {
            throw AccountsProblem.secondFactorNotSetUp();
        }
        ctx.redirect(PAGE, HttpStatus.SEE_OTHER);
        ctx.skipRemainingHandlers();
    }

    private static boolean isLogOut(Context ctx) {
        return ctx.method().equals(HandlerType.DELETE) && ctx.path().equals("/api/v1/session");
    }

    /** Whether the caller has to add a second factor before anything else. */
    boolean isKeptOut(Caller caller) {
        boolean isAsked = required == SecondFactor.EVERYONE
                || (required == SecondFactor.ADMINS && (caller.admin() || caller.acting()));
        return caller.session().isPresent() && isAsked && !isEnrolled(caller.actor());
    }

    private boolean isEnrolled(UserId user) {
        var key = new Enrolled(user, revocations.count());
        if (enrolled.getIfPresent(key) != null) {
            return true;
        }
        boolean found = db.read(reads -> store.isEnrolled(reads, user));
        if (found) {
            enrolled.put(key, true);
        }
        return found;
    }
}
