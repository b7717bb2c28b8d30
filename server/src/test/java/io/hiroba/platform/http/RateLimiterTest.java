package io.hiroba.platform.http;

import static io.hiroba.platform.http.LiveServer.header;
import static io.hiroba.platform.http.LiveServer.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.testkit.SettableClock;
import io.javalin.http.Context;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RateLimiterTest {

    private static final SettableClock CLOCK = new SettableClock(Instant.parse("2026-01-01T00:00:00Z"));
    private static LiveServer live;

    @BeforeAll
    static void start() {
        live = new LiveServer(
                HttpConfig.onFreePort()
                        .withTrustedProxies(List.of("127.0.0.0/8"))
                        .withRateLimit(new HttpConfig.RateLimit(true, 60, 3)),
                builder -> builder.clock(CLOCK)
                        .identity(ctx -> Optional.ofNullable(ctx.header("X-User")))
                        .routes(routes -> routes.get("/x", ctx -> ctx.json(1))));
    }

    @AfterAll
    static void stop() {
        live.close();
    }

    private static HttpResponse<String> from(String address) {
        return live.send(live.request("/x").header("X-Forwarded-For", address));
    }

    private static HttpResponse<String> by(String user) {
        return live.send(live.request("/x").header("X-User", user));
    }

    @Test
    void theBurstIsLetThroughAndTheRestWaits() {
        assertThat(header(by("ann"), "RateLimit-Remaining")).isEqualTo("2");
        by("ann");
        var last = by("ann");
        assertThat(last.statusCode()).isEqualTo(200);
        assertThat(header(last, "RateLimit-Limit")).isEqualTo("3");
        assertThat(header(last, "RateLimit-Remaining")).isEqualTo("0");
        assertThat(header(last, "RateLimit-Reset")).isEqualTo("3");
        var refused = by("ann");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(json(refused).get("code").asString()).isEqualTo("http.rate-limited");
        assertThat(header(refused, "Retry-After")).isEqualTo("1");
        assertThat(by("bob").statusCode()).isEqualTo(200);
        CLOCK.advance(Duration.ofSeconds(1));
        assertThat(by("ann").statusCode()).isEqualTo(200);
    }

    @Test
    void strangersAreCountedByAddressAndIpv6ByItsNetwork() {
        for (int i = 0; i < 3; i++) {
            assertThat(from("2001:db8:1:1::" + i).statusCode()).isEqualTo(200);
        }
        assertThat(from("2001:db8:1:1:ffff::9").statusCode()).isEqualTo(429);
        assertThat(from("2001:db8:1:2::1").statusCode()).isEqualTo(200);
    }

    @Test
    void aClientCannotPretendToBeAnother() {
        for (int i = 0; i < 3; i++) {
            assertThat(from("198.51.100." + i + ", 203.0.113.7").statusCode()).isEqualTo(200);
        }
        assertThat(from("198.51.100.99, 203.0.113.7").statusCode()).isEqualTo(429);
    }

    @Test
    void programsOfAUserDoNotKeepThemFromTheirPages() {
        var identity = new Identity() {
            @Override
            public Optional<String> of(Context ctx) {
                return Optional.of("ann");
            }

            @Override
            public Optional<String> client(Context ctx) {
                return of(ctx).map(user -> ctx.header("Authorization") == null ? user : RateLimiter.byToken(user));
            }
        };
        try (var busy = new LiveServer(
                HttpConfig.onFreePort().withRateLimit(new HttpConfig.RateLimit(true, 1, 1)),
                builder -> builder.clock(CLOCK)
                        .identity(identity)
                        .routes(routes -> routes.get("/x", ctx -> ctx.json(1))))) {
            var script = busy.request("/x").header("Authorization", "Bearer t");
            assertThat(busy.send(script).statusCode()).isEqualTo(200);
            assertThat(busy.send(script).statusCode()).isEqualTo(429);
            assertThat(busy.get("/x").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void healthIsNeverRefused() {
        for (int i = 0; i < 10; i++) {
            assertThat(live.get("/healthz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void anUntrustedNeighboursWordIsNotTaken() {
        try (var open = new LiveServer(
                HttpConfig.onFreePort().withRateLimit(new HttpConfig.RateLimit(true, 1, 1)),
                builder -> builder.routes(routes -> routes.get("/x", ctx -> ctx.json(1))))) {
            assertThat(open.send(open.request("/x").header("X-Forwarded-For", "203.0.113.1"))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(open.send(open.request("/x").header("X-Forwarded-For", "203.0.113.2"))
                            .statusCode())
                    .isEqualTo(429);
        }
    }

    @Test
    void wrongCredentialsAreNotLookedUpForEver() {
        var lookups = new AtomicInteger();
        var identity = new Identity() {
            @Override
            public Optional<String> of(Context ctx) {
                lookups.incrementAndGet();
                return Optional.ofNullable(ctx.header("X-User"));
            }

            @Override
            public boolean isClaimed(Context ctx) {
                return ctx.header("Authorization") != null;
            }
        };
        try (var guarded = new LiveServer(
                HttpConfig.onFreePort().withRateLimit(new HttpConfig.RateLimit(true, 6000, 6000)),
                builder -> builder.clock(CLOCK)
                        .identity(identity)
                        .routes(routes -> routes.get("/x", ctx -> ctx.json(1))))) {
            for (int i = 0; i < RateLimiter.MAX_FAILURES; i++) {
                assertThat(guarded.send(guarded.request("/x").header("Authorization", "Bearer wrong"))
                                .statusCode())
                        .isEqualTo(200);
            }
            int before = lookups.get();
            var refused = guarded.send(guarded.request("/x").header("Authorization", "Bearer wrong"));
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(header(refused, "Retry-After")).isEqualTo("1");
            assertThat(lookups).hasValue(before);
            assertThat(guarded.get("/x").statusCode()).as("without credentials").isEqualTo(200);
        }
    }
}
