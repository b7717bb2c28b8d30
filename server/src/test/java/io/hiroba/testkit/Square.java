package io.hiroba.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.Cookie;
import io.hiroba.platform.http.Json;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** A whole server with people on it, who come by their tokens. */
public final class Square implements AutoCloseable {

    /** The password of everybody but the admin. */
    public static final String PASSWORD = "a good password";

    /** Tests come more often than people. */
    private static final List<String> UNLIMITED = List.of(
            "--http.rate-limit.enabled=false",
            "--accounts.limits.log-ins-per-minute=10000",
            "--accounts.limits.failures-per-account=10000");

    private static final AtomicInteger COUNT = new AtomicInteger();

    public final TestServer server;
    public final Person admin;

    private final ApiClient anonymous;

    public Square(String... flags) {
        this(Clock.systemUTC(), flags);
    }

    /** On a node with this clock. */
    public Square(Clock clock, String... flags) {
        server = TestServer.start(
                clock, Stream.concat(UNLIMITED.stream(), Stream.of(flags)).toArray(String[]::new));
        anonymous = ApiClient.anonymous(URI.create(server.url()).getPort());
        admin = signedIn(TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD);
    }

    /** Somebody on the square. */
    public record Person(String id, String email, String password, ApiClient api) {

        public String post(String content) {
            return created(api.post("/api/v1/posts", Json.text(Map.of("content", content))));
        }

        public String reply(String to, String content) {
            return created(api.post("/api/v1/posts", Json.text(Map.of("content", content, "replyTo", to))));
        }

        public void follow(Person other) {
            assertThat(api.post("/api/v1/users/" + other.id + "/follow", "").outcome())
                    .isEqualTo("204");
        }

        public void block(Person other) {
            assertThat(api.post("/api/v1/users/" + other.id + "/block", "").outcome())
                    .isEqualTo("204");
        }

        public void like(String post) {
            assertThat(api.post("/api/v1/posts/" + post + "/like", "").outcome())
                    .isEqualTo("204");
        }

        /** Deletes an account, as one who gives their password again. */
        public ApiClient.Reply deleteAccount(String user) {
            return api.send("DELETE", "/api/v1/users/" + user, Json.text(Map.of("password", password)));
        }

        private static String created(ApiClient.Reply reply) {
            assertThat(reply.outcome()).as(reply.body()).isEqualTo("201");
            return reply.text("id");
        }
    }

    /** Somebody new. */
    public Person person(String nickname) {
        var email = "person%d@square.example".formatted(COUNT.incrementAndGet());
        var made = admin.api()
                .post("/api/v1/users", Json.text(Map.of("email", email, "nickname", nickname, "password", PASSWORD)));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        return signedIn(email, PASSWORD);
    }

    /** Signs somebody in to a browser, which is then at {@code path}. */
    public Page visit(Page page, Person person, String path) {
        var session = anonymous.post(
                "/api/v1/session", Json.text(Map.of("email", person.email(), "password", person.password())));
        assertThat(session.outcome()).as(session.body()).isEqualTo("201");
        page.context().addCookies(List.of(new Cookie("hiroba_session", session.cookie()).setUrl(server.url())));
        page.navigate(server.url() + path);
        return page;
    }

    /** The actions on the audit log that the filters of its API leave, newest first. */
    public List<String> audited(String filters) {
        return admin.api()
                .get("/api/v1/audit?" + filters)
                .json()
                .path("items")
                .valueStream()
                .map(entry -> entry.path("action").asString())
                .toList();
    }

    public ApiClient anonymous() {
        return anonymous;
    }

    private Person signedIn(String email, String password) {
        var reply = anonymous.post(
                "/api/v1/tokens", Json.text(Map.of("email", email, "password", password, "name", "test")));
        assertThat(reply.outcome()).isEqualTo("201");
        var api = anonymous.token(reply.text("token"));
        return new Person(api.get("/api/v1/me").text("id"), email, password, api);
    }

    @Override
    public void close() {
        server.close();
    }
}
