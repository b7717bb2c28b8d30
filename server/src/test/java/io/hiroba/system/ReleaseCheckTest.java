package io.hiroba.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.i18n.Language;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The check for a newer release, against a server that announces some. */
class ReleaseCheckTest {

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private HttpServer server;
    private volatile int status = 200;
    private volatile String answer = "";

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                asked.add(exchange.getRequestURI() + " "
                        + exchange.getRequestHeaders().getFirst("User-Agent"));
                var body = answer.getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private ReleaseCheck check() {
        var address = "http://127.0.0.1:%d/latest".formatted(server.getAddress().getPort());
        return new ReleaseCheck(new UpdatesConfig(true, address), meters, "0.2.0");
    }

    private static String text(SystemCheck line) {
        return line.value().in(Language.ENGLISH)
                + (line.advice() == null ? "" : " → " + line.advice().in(Language.ENGLISH));
    }

    private double gauge() {
        return meters.get("hiroba.release.newer").gauge().value();
    }

    @Test
    void adminsAreToldOfANewerReleaseAndWhereItIs() {
        var check = check();
        assertThat(text(check.look().orElseThrow())).isEqualTo("Not asked yet");
        assertThat(gauge()).isNaN();
        answer = "{\"version\": \"0.3.0\", \"url\": \"https://hiroba.example/0.3.0\"}";
        check.run();
        assertThat(asked).as("nothing about this server is sent").containsExactly("/latest Hiroba");
        assertThat(text(check.look().orElseThrow()))
                .isEqualTo("0.3.0 is out → Read its notes at https://hiroba.example/0.3.0, make a backup, and update.");
        assertThat(gauge()).isEqualTo(1);

        answer =
                "{\"tag_name\": \"v0.2.0\", \"html_url\": \"https://hiroba.example/0.2.0\", \"url\": \"https://api.example/1\"}";
        check.run();
        assertThat(text(check.look().orElseThrow())).isEqualTo("Up to date");
        assertThat(gauge()).isZero();
    }

    @Test
    void anAnswerThatMakesNoSenseChangesNothing() {
        var check = check();
        answer = "{\"tag_name\": \"v0.3.0\", \"html_url\": \"javascript:alert(1)\"}";
        check.run();
        assertThat(text(check.look().orElseThrow()))
                .as("a link that is none is left out")
                .isEqualTo("0.3.0 is out → Read its notes, make a backup, and update.");
        for (var nonsense : List.of("", "[]", "{", "{\"version\": 7}", "{\"version\": \"<b>9</b>\"}", "{}")) {
            answer = nonsense;
            check.run();
            assertThat(text(check.look().orElseThrow())).as(nonsense).startsWith("0.3.0 is out");
        }
        var fresh = check();
        status = 404;
        fresh.run();
        assertThat(text(fresh.look().orElseThrow())).startsWith("Not known");
    }

    @Test
    void nothingIsAskedWithoutAnAddressOrIfItIsSwitchedOff() {
        for (var off : List.of(new UpdatesConfig(true, ""), new UpdatesConfig(false, "https://hiroba.example"))) {
            assertThat(new ReleaseCheck(off, new SimpleMeterRegistry()).look()).isEmpty();
        }
        assertThatThrownBy(() -> new UpdatesConfig(true, "file:///etc/passwd")).hasMessageContaining("http or https");
    }

    @Test
    void versionsAreInTheOrderOfSemanticVersions() {
        assertThat(ReleaseCheck.isNewer("0.10.0", "0.9.9")).isTrue();
        assertThat(ReleaseCheck.isNewer("1.0", "0.99.99")).isTrue();
        assertThat(ReleaseCheck.isNewer("1.0.0", "1.0.0-rc.2")).isTrue();
        assertThat(ReleaseCheck.isNewer("1.0.0-rc.2", "1.0.0")).isFalse();
        assertThat(ReleaseCheck.isNewer("1.0.0+build", "1.0")).isFalse();
        assertThat(ReleaseCheck.isNewer("nonsense", "1.0")).isFalse();
    }
}
