package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The launcher with a server that runs: start, second start, stop, and what goes wrong between. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class LauncherServerTest {

    private static final Map<String, String> WITH_CACHE =
            Map.of("HIROBA_NO_AOT", "", "HIROBA_JAVA_OPTS", "-Xlog:aot=info:aot.txt");

    @TempDir
    static Path jars;

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

    @BeforeAll
    static void buildJars() throws IOException {
        Checkout.jars(jars);
    }

    @BeforeEach
    void aMavenThatSucceeds() throws IOException {
        checkout.mavenWithJarsOf(jars);
    }

    @AfterEach
    void stop() throws Exception {
        checkout.run("stop", "--data", data);
    }

    @Test
    void upReturnsWhenTheServerIsReadyAndStopEndsIt() throws Exception {
        var up = checkout.run(Map.of("HIROBA_ADMIN_EMAIL", "ada@example.org"), "up", "--port", port, "--data", data);
        assertThat(up.code()).isZero();
        assertThat(up.out())
                .contains("· building", "· unpacking", "Admin: ada@example.org")
                .doesNotContain("a log line");
        assertThat(Files.readString(log("server.log"))).isEqualTo("a log line\n");
        assertThat(Files.readString(log("start.log"))).isEqualTo("READY http://127.0.0.1:" + port + "\n");

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

    @ParameterizedTest
    @ValueSource(strings = {"with flock", "without"})
    void ofTwoStartsAtOnceOneServesAndBothKnowIt(String how) throws Exception {
        if (how.equals("without")) {
            Files.delete(checkout.program("flock", ""));
        }
        var one = checkout.start(Map.of(), "up", "--port", port, "--data", data);
        var other = checkout.start(Map.of(), "up", "--port", port, "--data", data);
        String said = output(one) + output(other);

        assertThat(one.waitFor()).isZero();
        assertThat(other.waitFor()).isZero();
        assertThat(said).containsOnlyOnce("Admin:").containsOnlyOnce("running already: http://127.0.0.1:" + port);
        assertThat(checkout.mavenCalls()).isEqualTo(1);
        assertThat(checkout.run("stop", "--data", data).out()).contains("Hiroba has stopped.");
    }

    @Test
    void anUnfinishedRestoreIsNotServedAndStaysAsItIs() throws Exception {
        var partial = Files.createDirectories(Path.of(data, ".partial"));
        Files.createFile(partial.resolve("restore.lock"));
        for (var folder : List.of(data, partial.toString())) {
            var up = checkout.run("up", "--port", port, "--data", folder);
            assertThat(up.code()).isEqualTo(1);
            assertThat(up.out())
                    .contains(folder + " holds an unfinished restore")
                    .hasLineCount(1);
            assertThat(checkout.run("doctor", "--data", folder).out())
                    .contains("✗ data ", folder + " holds an unfinished restore");
        }
        assertThat(Path.of(data).toFile().list()).containsExactly(".partial");
        assertThat(partial.toFile().list()).containsExactly("restore.lock");
    }

    @Test
    void nothingIsMadeBesideAnUnfinishedRestore() throws Exception {
        var partial = Files.createDirectories(Path.of(data + ".partial"));
        Files.createFile(partial.resolve("restore.lock"));
        var up = checkout.run("up", "--port", port, "--data", data);

        assertThat(up.code()).isEqualTo(1);
        assertThat(up.out()).contains(partial + " holds an unfinished restore").hasLineCount(1);
        assertThat(Path.of(data)).doesNotExist();
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
    void anotherHirobaUnderTheNumberOfAPidFileIsLeftAlone() throws Exception {
        checkout.run("up", "--port", port, "--data", data);
        var other = Files.createDirectories(Path.of(data + " 2"));
        Files.copy(Path.of(data, "hiroba.pid"), other.resolve("hiroba.pid"));

        assertThat(checkout.run("status", "--data", other.toString()).code()).isEqualTo(3);
        assertThat(checkout.run("stop", "--data", other.toString()).out()).contains("is not running");
        var link = Files.createSymbolicLink(Path.of(data + " link"), Path.of(data));
        assertThat(checkout.run("status", "--data", link.toString()).code()).isZero();
    }

    @Test
    void aRefusedSettingMakesNoFolder() throws Exception {
        var up = checkout.run("up", "--port", port, "--data", data, "--refuse=true");

        assertThat(up.code()).isEqualTo(2);
        assertThat(up.out()).endsWith("configuration: unknown flag `--refuse`\n");
        assertThat(Path.of(data)).doesNotExist();
    }

    @Test
    void aServerThatDoesNotStartSaysWhyAndLeavesNothingBehind() throws Exception {
        var up = checkout.run("up", "--port", port, "--data", data, "--fail=true");

        assertThat(up.code()).isEqualTo(1);
        assertThat(up.out())
                .contains("The database refused the login.", "exit code 4", "server.log\nthe login in detail\n");
        assertThat(checkout.run("status", "--data", data).code()).isEqualTo(3);
    }

    @Test
    void aTakenPortIsNamedWithTheWayOut() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var up = checkout.run("up", "--port", String.valueOf(taken.getLocalPort()), "--data", data);

            assertThat(up.code()).isEqualTo(1);
            assertThat(up.out()).contains("Port " + taken.getLocalPort() + " is taken", "--port");
            var longForm = checkout.run("up", "--http.port", String.valueOf(taken.getLocalPort()), "--data", data);
            assertThat(longForm.out()).contains("Port " + taken.getLocalPort() + " is taken");
        }
    }

    @Test
    void interruptingAStartStopsWhatWasStarted() throws Exception {
        var up = checkout.start(Map.of(), "up", "--port", port, "--data", data, "--stall=true");
        Path log = log("start.log");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Files.exists(log) && Files.readString(log).contains("stalling"));
        up.destroy();

        assertThat(up.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(up.exitValue()).isEqualTo(130);
        assertThat(checkout.run("status", "--data", data).code()).isEqualTo(3);
    }

    @Test
    void aDemoIsWaitedForAndSaidToBeThereAfterwards() throws Exception {
        var up = checkout.run("up", "--demo", "--port", port, "--data", data);
        assertThat(up.code()).isZero();
        assertThat(up.out())
                .contains("filling the demo community: 0 %\n", ": 100 %\n· the demo community is there\n")
                .doesNotContain(": 50 %");

        assertThat(checkout.run("up", "--demo", "--data", data).out())
                .contains("running already", "The demo community is there already");
        assertThat(checkout.run("status", "--data", data).out()).contains("http://127.0.0.1:" + port + " (ready");
    }

    @Test
    void aServerWithoutADemoSaysHowToGetOne() throws Exception {
        checkout.run("up", "--port", port, "--data", data);

        assertThat(checkout.run("up", "--demo", "--data", data).out())
                .contains("running already", "./hiroba stop, then ./hiroba up --demo");
    }

    @Test
    void interruptingADemoStopsTheServerAndBlotsOutWhatItSaid() throws Exception {
        var up = checkout.start(Map.of(), "up", "--demo", "--port", port, "--data", data, "--stall-half-way=true");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> Files.exists(log("start.log"))
                        && Files.readString(log("start.log")).contains(" 50 %"));
        up.destroy();

        assertThat(up.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(up.exitValue()).isEqualTo(130);
        assertThat(log("start.log")).isEmptyFile();
        assertThat(checkout.run("status", "--data", data).code()).isEqualTo(3);
    }

    @Test
    void aBuildStartsAtOnceAndMakesTheCacheForLaterStartsAfterwards() throws Exception {
        Files.writeString(checkout.home().resolve("hiroba.yaml"), "http.host: 127.0.0.1\n");
        var up = checkout.run(WITH_CACHE, "up", "--port", port, "--data", data);

        assertThat(up.out()).contains("· building", "· obeying a file\n");
        assertThat(checkout.root().resolve("target/app/cli/classes.jsa"))
                .as("the client's")
                .isNotEmptyFile();
        Path server = checkout.root().resolve("target/app/server");
        await().atMost(Duration.ofSeconds(60)).until(() -> hasCache(server) && !hasTraining(server));
        assertThat(server.resolve("aot.log"))
                .as("the start obeys the file, the training does not")
                .content()
                .doesNotContain("obeying");

        checkout.run("stop", "--data", data);
        checkout.run(WITH_CACHE, "up", "--port", port, "--data", data);
        assertThat(Files.readString(checkout.home().resolve("aot.txt"))).contains("Opened AOT cache");
    }

    @Test
    void nothingIsTrainedWhereAFileMayNameADatabase() throws Exception {
        Files.writeString(checkout.home().resolve("hiroba.yaml"), "database:\n  url: jdbc:postgresql://db/hiroba\n");
        var up = checkout.run(WITH_CACHE, "up", "--port", port, "--data", data);

        assertThat(up.code()).isZero();
        assertThat(checkout.root().resolve("target/app/server/aot.log")).doesNotExist();
    }

    private Path log(String name) {
        return Path.of(data, "log", name);
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private static boolean hasTraining(Path server) throws IOException {
        try (var files = Files.list(server)) {
            return files.anyMatch(file -> file.getFileName().toString().endsWith(".train"));
        }
    }

    private static boolean hasCache(Path server) throws IOException {
        try (var files = Files.list(server)) {
            return files.anyMatch(file -> file.getFileName().toString().endsWith(".cache"));
        }
    }
}
