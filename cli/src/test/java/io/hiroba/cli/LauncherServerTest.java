package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher with a server that runs: start, second start, stop, and what goes wrong between. */
class LauncherServerTest {

    private static final Map<String, String> WITH_CACHE =
            Map.of("HIROBA_NO_AOT", "", "HIROBA_JAVA_OPTS", "-Xlog:aot=info");

    @TempDir
    static Path shared;

    private final Checkout checkout;
    private final String data;
    private final String port;

    LauncherServerTest(@TempDir Path folder) throws IOException {
        checkout = new Checkout(folder);
        data = folder.resolve("data of 広場").toString();
        try (var socket = new ServerSocket(0)) {
            port = String.valueOf(socket.getLocalPort());
        }
    }

    @BeforeEach
    void aMavenThatSucceeds() throws IOException {
        Path jars = shared.resolve("jars");
        checkout.mavenWithJarsOf(Files.exists(jars) ? jars : Checkout.jars(Files.createDirectories(jars)));
    }

    @AfterEach
    void stop() throws Exception {
        checkout.run("stop", "--data", data);
    }

    @Test
    void upReturnsWhenTheServerIsReadyAndStopEndsIt() throws Exception {
        var up = checkout.run(
                Map.of("HIROBA_ADMIN_EMAIL", "ada@example.org"), "up", "--port", port, "--data", data, "--demo");
        assertThat(up.code()).isZero();
        assertThat(up.out())
                .contains("· building", "· unpacking", "Admin: ada@example.org")
                .doesNotContain("a log line");

        var status = checkout.run("status", "--data", data);
        assertThat(status.code()).isZero();
        assertThat(status.out()).contains("http://127.0.0.1:" + port + " (ready, pid ");

        var stop = checkout.run("stop", "--data", data);
        assertThat(stop.code()).isZero();
        assertThat(stop.out()).contains("Hiroba has stopped.");
        assertThat(checkout.run("status", "--data", data).code()).isEqualTo(3);
    }

    @Test
    void aSecondUpSaysThatItRunsAndAnUpAfterAStopDoesNotBuild() throws Exception {
        checkout.run("up", "--port", port, "--data", data);
        var second = checkout.run("up", "--port", port, "--data", data);
        assertThat(second.code()).isZero();
        assertThat(second.out()).contains("running already: http://127.0.0.1:" + port);

        checkout.run("stop", "--data", data);
        assertThat(checkout.run("up", "--port", port, "--data", data).code()).isZero();
        assertThat(checkout.mavenCalls()).isEqualTo(1);
    }

    @Test
    void stoppingWhatDoesNotRunIsNoMistake() throws Exception {
        var stop = checkout.run("stop", "--data", data);
        assertThat(stop.code()).isZero();
        assertThat(stop.out()).contains("is not running on " + data);
        assertThat(checkout.run("status").code()).isEqualTo(3);
    }

    @Test
    void aPidFileOfAProgramThatIsNotHirobaIsIgnored() throws Exception {
        Files.createDirectories(Path.of(data));
        Files.writeString(Path.of(data, "hiroba.pid"), ProcessHandle.current().pid() + "\n");

        assertThat(checkout.run("status", "--data", data).code()).isEqualTo(3);
        assertThat(checkout.run("stop", "--data", data).out()).contains("is not running");
    }

    @Test
    void aServerThatDoesNotStartSaysWhyAndLeavesNothingBehind() throws Exception {
        var up = checkout.run("up", "--port", port, "--data", data, "--fail=true");

        assertThat(up.code()).isEqualTo(1);
        assertThat(up.out()).contains("The database refused the login.", "exit code 4", "server.log");
        assertThat(checkout.run("status", "--data", data).code()).isEqualTo(3);
    }

    @Test
    void aTakenPortIsNamedWithTheWayOut() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var up = checkout.run("up", "--port", String.valueOf(taken.getLocalPort()), "--data", data);

            assertThat(up.code()).isEqualTo(1);
            assertThat(up.out()).contains("Port " + taken.getLocalPort() + " is taken", "--port");
        }
    }

    @Test
    void whatIsWrittenWronglyIsRefusedBeforeAnythingIsDone() throws Exception {
        assertThat(checkout.run("up", "--port", "eighty").code()).isEqualTo(2);
        assertThat(checkout.run("up", "--data").code()).isEqualTo(2);
        assertThat(checkout.run("up", "now").code()).isEqualTo(2);
        assertThat(checkout.run("stop", "--hard").code()).isEqualTo(2);
        assertThat(checkout.mavenCalls()).isZero();
    }

    @Test
    void interruptingAStartStopsWhatWasStarted() throws Exception {
        var up = checkout.start(Map.of(), "up", "--port", port, "--data", data, "--stall=true");
        Path log = Path.of(data, "log", "server.log");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Files.exists(log) && Files.readString(log).contains("stalling"));
        up.destroy();

        assertThat(up.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(up.exitValue()).isEqualTo(130);
        assertThat(checkout.run("status", "--data", data).code()).isEqualTo(3);
    }

    @Test
    void theFirstBuildMakesACacheThatStartsUse() throws Exception {
        var up = checkout.run(WITH_CACHE, "up", "--port", port, "--data", data);

        assertThat(up.out()).contains("· preparing fast starts\n  · unpacking\n");
        assertThat(Files.readString(Path.of(data, "log", "server.log"))).contains("Opened AOT cache");
    }

    @Test
    void aLaterBuildStartsAtOnceAndMakesItsCacheAfterwards() throws Exception {
        checkout.run("up", "--port", port, "--data", data);
        checkout.run("stop", "--data", data);
        checkout.write("server/src/main/java/B.java", "class B {}");
        var up = checkout.run(WITH_CACHE, "up", "--port", port, "--data", data);

        assertThat(up.out()).contains("· building").doesNotContain("preparing");
        Path server = checkout.root().resolve("target/app/server");
        await().atMost(Duration.ofSeconds(60)).until(() -> hasCache(server) && !Files.exists(server.resolve("train")));
    }

    private static boolean hasCache(Path server) throws IOException {
        try (var files = Files.list(server)) {
            return files.anyMatch(file -> file.getFileName().toString().endsWith(".cache"));
        }
    }
}
