package io.hiroba.accounts;

import io.hiroba.platform.http.AccessLog;
import io.hiroba.platform.http.ClientAddress;
import io.hiroba.platform.http.RequestId;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The authenticated caller of a request.
 *
 * @param admin whether {@code user} is an admin; an admin who acts as another has that user's rights only
 * @param realAdmin the admin behind the call when they act as {@code user}
 * @param origin where the call came from, for the audit log
 */
public record Caller(
        UserId user, boolean admin, Via via, @Nullable UserId realAdmin, Origin origin) {

    private static final String ATTRIBUTE = "hiroba.caller";

    /** A caller of unknown origin. */
    public Caller(UserId user, boolean admin, Via via, @Nullable UserId realAdmin) {
        this(user, admin, via, realAdmin, Origin.UNKNOWN);
    }

    /**
     * The origin of a call; what is not known of it is empty.
     *
     * @param agent the User-Agent
     * @param requestId the id of the request in the access log
     * @param grpc whether it came over gRPC
     */
    public record Origin(String address, String agent, String requestId, boolean grpc) {

        static final Origin UNKNOWN = new Origin("", "", "", false);

        public Origin {
            agent = ClientInfo.printable(agent);
        }

        static Origin of(Context ctx, ClientAddress addresses) {
            var agent = ctx.userAgent();
            return new Origin(addresses.of(ctx).getHostAddress(), agent == null ? "" : agent, RequestId.of(ctx), false);
        }
    }

    /** The means of authentication. */
    public sealed interface Via {}

    /** By the cookie of a session. */
    public record BySession(SessionId id) implements Via {}

    /**
     * By an API token, or the access token of an app.
     *
     * @param expiresAt {@link Instant#MAX} if it does not
     */
    public record ByToken(TokenId id, TokenScope.Granted scopes, Instant expiresAt) implements Via {

        /** A token with all scopes that does not expire. */
        public ByToken(TokenId id) {
            this(id, TokenScope.Granted.ALL, Instant.MAX);
        }
    }

    /** No credential: the server itself acts on behalf of a user. */
    public record ByServer() implements Via {}

    /** The server, which acts in the name of {@code user} with the rights of an administrator. */
    public static Caller server(UserId user) {
        return new Caller(user, true, new ByServer(), null);
    }

    /** The caller of the request; 401 if there is none. */
    public static Caller of(Context ctx) {
        return find(ctx).orElseThrow(AccountsProblem::notSignedIn);
    }

    public static Optional<Caller> find(Context ctx) {
        return Optional.ofNullable(ctx.attribute(ATTRIBUTE));
    }

    /** Stores the caller for the rest of the request. */
    public void rememberIn(Context ctx) {
        ctx.attribute(ATTRIBUTE, this);
        ctx.attribute(AccessLog.USER, actor().hex());
    }

    /** The same caller, from there. */
    Caller from(Origin whence) {
        return new Caller(user, admin, via, realAdmin, whence);
    }

    /** Makes the request one that nobody has signed in for. */
    static void forget(Context ctx) {
        ctx.attribute(ATTRIBUTE, null);
    }

    /** Whether the caller may do what takes {@code scope}: anybody may but those who come by a token without it. */
    public boolean allows(TokenScope scope) {
        return scopes().allows(scope);
    }

    /** As {@link #allows(TokenScope)}, for something in a project of records: a token may have the scope for that one alone. */
    public boolean allows(TokenScope scope, String project) {
        return scopes().allows(scope, project);
    }

    /**
     * The caller as far as a scope goes: with the rights of an admin only if the token has those too.
     *
     * @throws AccountsProblem if the token does not have the scope
     */
    public Caller within(TokenScope scope) {
        return within(scope, null);
    }

    /** As {@link #within(TokenScope)}, for something in a project of records. */
    Caller within(TokenScope scope, @Nullable String project) {
        var scopes = scopes();
        if (scopes.isAll()) {
            return this;
        }
        if (!scopes.allows(scope, project)) {
            throw AccountsProblem.scopeRequired(scope);
        }
        boolean adminToo = admin && scopes.allows(scope.isRead() ? TokenScope.ADMIN_READ : TokenScope.ADMIN_WRITE);
        return new Caller(user, adminToo, via, realAdmin, origin);
    }

    TokenScope.Granted scopes() {
        return via instanceof ByToken token ? token.scopes() : TokenScope.Granted.ALL;
    }

    public boolean acting() {
        return realAdmin != null;
    }

    /** The person behind the call: the admin who acts as {@code user}, or the user. */
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

    /** Keeps an admin who acts as another user from creating credentials of that user. */
    public void requireNotActing() {
        if (acting()) {
            throw AccountsProblem.acting();
        }
    }

    /** Refuses calls that no session authenticated. */
    void requireSession() {
        if (session().isEmpty()) {
            throw AccountsProblem.sessionRequired();
        }
    }

    /** The scopes of the token that authenticated the call; a problem if it was none. */
    public TokenScope.Granted requireToken() {
        if (via instanceof ByToken token) {
            return token.scopes();
        }
        throw AccountsProblem.notSignedIn();
    }

    /** The session that authenticated the call, if one did. */
    public Optional<SessionId> session() {
        return via instanceof BySession session ? Optional.of(session.id()) : Optional.empty();
    }
}
