package io.hiroba.accounts;

import io.hiroba.platform.http.AccessLog;
import io.javalin.http.Context;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who is calling, and how they showed it.
 *
 * @param admin whether {@code user} is an admin; an admin who acts as another has that user's rights only
 * @param realAdmin the admin behind the call when they act as {@code user}
 */
public record Caller(
        UserId user, boolean admin, Via via, @Nullable UserId realAdmin) {

    private static final String ATTRIBUTE = "hiroba.caller";

    /** How somebody came in. */
    public sealed interface Via {}

    /** By the cookie of a session. */
    public record BySession(SessionId id) implements Via {}

    /** By an API token. */
    public record ByToken(TokenId id) implements Via {}

    /** By nothing that could be stolen: the server itself acts in somebody's name. */
    public record ByServer() implements Via {}

    /** The caller, who must be signed in: otherwise the answer is 401. */
    public static Caller of(Context ctx) {
        return find(ctx).orElseThrow(AccountsProblem::notSignedIn);
    }

    public static Optional<Caller> find(Context ctx) {
        return Optional.ofNullable(ctx.attribute(ATTRIBUTE));
    }

    /** Remembers who is calling for the rest of the request. */
    public void rememberIn(Context ctx) {
        ctx.attribute(ATTRIBUTE, this);
        ctx.attribute(AccessLog.USER, actor().hex());
    }

    public boolean acting() {
        return realAdmin != null;
    }

    /** The person who answers for what is done. */
    public UserId actor() {
        return realAdmin == null ? user : realAdmin;
    }

    public boolean mayChange(UserId owner) {
        return admin || user.equals(owner);
    }

    public void requireAdmin() {
        if (!admin) {
            throw AccountsProblem.adminOnly();
        }
    }

    public void requireOwnerOrAdmin(UserId owner) {
        if (!mayChange(owner)) {
            throw AccountsProblem.notYours();
        }
    }

    /** Keeps an admin who acts as another from leaving behind a way in under that name. */
    public void requireNotActing() {
        if (acting()) {
            throw AccountsProblem.acting();
        }
    }

    /** The session of this call, where it came by one. */
    public Optional<SessionId> session() {
        return via instanceof BySession session ? Optional.of(session.id()) : Optional.empty();
    }
}
