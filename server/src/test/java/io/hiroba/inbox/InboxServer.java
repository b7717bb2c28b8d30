package io.hiroba.inbox;

import io.hiroba.accounts.Authentication;
import io.hiroba.accounts.Tokens.NewToken;
import io.hiroba.accounts.UserId;
import io.hiroba.platform.http.Cursors;
import io.hiroba.platform.http.HttpConfig;
import io.hiroba.platform.http.HttpServer;
import io.hiroba.platform.http.SecretStore;
import io.hiroba.testkit.ApiClient;

/** An inbox that is served over HTTP. */
public final class InboxServer implements AutoCloseable {

    public final TestInbox inbox = new TestInbox();
    public final ApiClient anonymous;
    private final HttpServer server;

    public InboxServer() {
        var authentication = new Authentication(inbox.accounts.sessions, inbox.accounts.tokens);
        server = HttpServer.builder(
                        HttpConfig.onFreePort().withRateLimit(new HttpConfig.RateLimit(false, 1, 1)), inbox.db)
                .identity(authentication)
                .routes(authentication, new InboxRoutes(inbox.inbox, new Cursors(new SecretStore(inbox.db))))
                .build()
                .start();
        anonymous = ApiClient.anonymous(server.port());
    }

    /** Speaks to the server in somebody's name. */
    public ApiClient as(UserId user) {
        var token = inbox.accounts.tokens.create(inbox.accounts.signedIn(user), new NewToken("test", null));
        return anonymous.token(token.secret());
    }

    @Override
    public void close() {
        server.close();
        inbox.close();
    }
}
