package io.hiroba.knowledge.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.http.PublicAddress;
import io.hiroba.platform.problem.Problem;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WebFetcherTest {

    private static final WebFetcher.Limits LIMITS =
            new WebFetcher.Limits(ByteSize.parse("64KB"), Duration.ofSeconds(2));
    private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");

    private final HttpServer server = start();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Queue<String> requests = new ConcurrentLinkedQueue<>();
    private final AtomicInteger lookups = new AtomicInteger();
    /** Knows one name, and takes this machine's address for a public one. */
    private final WebFetcher fetcher = new WebFetcher(LIMITS, this::lookUp, address -> address.equals(HERE));

    private static HttpServer start() {
        try {
            return HttpServer.create(new InetSocketAddress(HERE, 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private InetAddress[] lookUp(String host) throws UnknownHostException {
        lookups.incrementAndGet();
        return switch (host) {
            case "square.test" -> new InetAddress[] {HERE};
            case "mixed.test" -> new InetAddress[] {HERE, InetAddress.ofLiteral("10.0.0.1")};
            case "unknown.test" -> throw new UnknownHostException(host);
            default -> InetAddress.getAllByName(host);
        };
    }

    @BeforeEach
    void begin() {
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        answer("/page", 200, "text/html; charset=\"UTF-8\"", "<p>Grüße".getBytes(StandardCharsets.UTF_8));
        answer("/missing", 404, "text/html", new byte[0]);
        answer("/large", 200, "text/plain", new byte[100_000]);
        redirect("/moved", "/page");
        redirect("/loop", "/loop");
        redirect("/inside", "http://10.0.0.1/secret");
        redirect("/metadata", "http://169.254.169.254/latest");
        redirect("/file", "file:///etc/passwd");
        server.createContext("/bomb", exchange -> {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            send(exchange, 200, bomb());
        });
        server.createContext("/headers", exchange -> {
            for (int i = 0; i < 100; i++) {
                exchange.getResponseHeaders().add("X-Filler", "x".repeat(1000));
            }
            send(exchange, 200, new byte[] {'a'});
        });
        server.createContext("/slow", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(1);
            exchange.getResponseBody().flush();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void end() {
        end.countDown();
        fetcher.close();
        server.stop(0);
    }

    private void answer(String path, int status, String type, byte[] body) {
        server.createContext(path, exchange -> {
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.getResponseHeaders().set("Set-Cookie", "a=b");
            send(exchange, status, body);
        });
    }

    private void redirect(String path, String to) {
        server.createContext(path, exchange -> {
            exchange.getResponseHeaders().set("Location", to);
            send(exchange, 302, new byte[0]);
        });
    }

    private void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        var headers = exchange.getRequestHeaders();
        requests.add("%s %s %s %s"
                .formatted(
                        headers.getFirst("Host"),
                        exchange.getRequestURI(),
                        headers.getFirst("User-Agent"),
                        headers.getFirst("Cookie")));
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static byte[] bomb() throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(new byte[20 << 20]);
        }
        return out.toByteArray();
    }

    private String url(String path) {
        return "http://square.test:%d%s".formatted(server.getAddress().getPort(), path);
    }

    private void refused(String code, String url) {
        assertThatThrownBy(() -> fetcher.fetch(url))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(code));
    }

    @Test
    void aPageIsFetchedAsNobodyInParticular() {
        var page = fetcher.fetch(url("/page"));
        assertThat(page.mediaType()).isEqualTo("text/html");
        assertThat(page.charset()).isEqualTo("UTF-8");
        assertThat(new String(page.content(), StandardCharsets.UTF_8)).isEqualTo("<p>Grüße");
        fetcher.fetch(url("/page"));
        assertThat(requests)
                .allSatisfy(request -> assertThat(request)
                        .isEqualTo("square.test:%d /page Hiroba null"
                                .formatted(server.getAddress().getPort())));
    }

    @Test
    void aRedirectIsFollowedAndTheAddressAskedForIsRemembered() {
        var page = fetcher.fetch(url("/moved#part"));
        assertThat(page.found().requested()).isEqualTo(url("/moved"));
        assertThat(page.found().url()).isEqualTo(url("/page"));
        assertThat(page.found().name()).isEqualTo("page");
    }

    @Test
    void noRedirectLeadsInsideOrAwayFromTheWeb() {
        refused("knowledge.private-address", url("/inside"));
        refused("knowledge.private-address", url("/metadata"));
        refused("knowledge.invalid", url("/file"));
        refused("knowledge.fetch-failed", url("/loop"));
    }

    @Test
    void aHostWithOnePrivateAddressIsRefused() {
        refused(
                "knowledge.private-address",
                "http://mixed.test:%d/page".formatted(server.getAddress().getPort()));
        assertThat(requests).isEmpty();
    }

    @Test
    void theAddressThatWasCheckedIsTheOneConnectedTo() {
        // Nobody but the fetcher's own names knows this host: had anything else looked it up, there would be no page.
        fetcher.fetch(url("/page"));
        assertThat(lookups).hasValue(1);
    }

    @Test
    void whatIsTooLargeOrTooSlowIsGivenUp() {
        refused("knowledge.too-large", url("/large"));
        refused("knowledge.too-large", url("/bomb"));
        refused("knowledge.fetch-failed", url("/headers"));
        refused("knowledge.fetch-timeout", url("/slow"));
        refused("knowledge.fetch-failed", url("/missing"));
        refused("knowledge.fetch-failed", "http://unknown.test/");
        refused("knowledge.fetch-failed", "http://square.test:1/");
    }

    @Test
    void onlyAddressesOfTheWebAreTaken() {
        for (var url : new String[] {
            "file:///etc/passwd",
            "ftp://example.org/",
            "http://",
            "/page",
            "http:page",
            "http://user:word@example.org/",
            "http://user@example.org/",
            "jar:http://example.org!/a",
            "http://example.org:99999/",
            "gopher://example.org",
            "http://exa mple.org/",
            "http://127.1/",
            "https://" + "a".repeat(2000) + ".org/"
        }) {
            refused("knowledge.invalid", url);
        }
        assertThat(WebUrl.parse(" HTTPS://Example.ORG:443/a/../b?q=1#c ")).hasToString("https://example.org/b?q=1");
        assertThat(WebUrl.parse("http://example.org")).hasToString("http://example.org/");
        assertThat(WebUrl.parse("http://例え.jp/ページ")).hasToString("http://xn--r8jz45g.jp/%E3%83%9A%E3%83%BC%E3%82%B8");
        assertThat(WebUrl.parse("http://MÜNCHEN.de:8080/a b?c d"))
                .hasToString("http://xn--mnchen-3ya.de:8080/a%20b?c%20d");
        assertThat(WebUrl.parse("http://example.org/").next("//münchen.de/ü"))
                .hasToString("http://xn--mnchen-3ya.de/%C3%BC");
        refused("knowledge.private-address", "http://１０.０.０.１/");
        refused("knowledge.invalid", "http://user@münchen.de/");
        refused("knowledge.invalid", "http://mün chen.de/");
    }

    @Test
    void privateAddressesAreRefusedInEverySpelling() {
        try (var strict = new WebFetcher(LIMITS, false)) {
            for (var host : new String[] {
                "127.0.0.1",
                "localhost",
                "10.1.2.3",
                "172.16.0.1",
                "192.168.1.1",
                "169.254.169.254",
                "100.64.0.1",
                "0.0.0.0",
                "224.0.0.1",
                "255.255.255.255",
                "[::1]",
                "[::]",
                "[fe80::1]",
                "[fc00::1]",
                "[ff02::1]",
                "[::ffff:127.0.0.1]",
                "[::ffff:a00:1]",
                "[64:ff9b::7f00:1]",
                "[2002:7f00:1::]"
            }) {
                assertThatThrownBy(() -> strict.fetch("http://%s:1/".formatted(host)))
                        .as(host)
                        .isInstanceOfSatisfying(
                                Problem.class,
                                problem -> assertThat(problem.code()).isEqualTo("knowledge.private-address"));
            }
        }
    }

    @Test
    void publicAddressesAreToldFromOthers() {
        for (var address : new String[] {"1.1.1.1", "93.184.215.14", "172.32.0.1", "100.128.0.1", "2606:4700::1111"}) {
            assertThat(PublicAddress.isPublic(InetAddress.ofLiteral(address)))
                    .as(address)
                    .isTrue();
        }
        for (var address : new String[] {"100.127.255.255", "172.31.255.255", "198.19.0.1", "2001:db8::1", "2001::1"}) {
            assertThat(PublicAddress.isPublic(InetAddress.ofLiteral(address)))
                    .as(address)
                    .isFalse();
        }
    }

    @Test
    void whereItIsAllowedPrivatePagesAreFetched() {
        try (var open = new WebFetcher(LIMITS, true)) {
            assertThat(open.fetch("http://127.0.0.1:%d/page"
                                    .formatted(server.getAddress().getPort()))
                            .content())
                    .isNotEmpty();
        }
    }

    @Test
    void aPageThatIsAsItWasIsNotSentAgainAndOneThatIsGoneIsTold() {
        server.createContext("/tagged", exchange -> {
            boolean isSame = "\"1\"".equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
            exchange.getResponseHeaders().set("ETag", "\"1\"");
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            if (isSame) {
                exchange.sendResponseHeaders(304, -1);
                exchange.close();
            } else {
                send(exchange, 200, new byte[] {'a'});
            }
        });
        var first = fetcher.look(url("/tagged"), "");
        assertThat(first.page()).isNotNull();
        var again = fetcher.look(url("/tagged"), first.page().validators());
        assertThat(again.page()).isNull();
        assertThat(again.isGone()).isFalse();
        assertThat(fetcher.look(url("/missing"), "\n").isGone()).isTrue();
        assertThatThrownBy(() -> fetcher.look(url("/missing"), "")).isInstanceOf(Problem.class);
        assertThat(fetcher.look(url("/page"), "\n").page()).isNotNull();
    }
}
