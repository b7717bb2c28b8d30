package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of the launcher from flags, variables and the configuration file. */
class LauncherSettingsTest {

    private final Checkout checkout;

    LauncherSettingsTest(@TempDir Path folder) throws IOException {
        checkout = new Checkout(folder);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "data: /srv/square",
                "data: \"/srv/square\"",
                "data: '/srv/square'   # disk 2",
                "data: /srv/square # disk 2",
                "data: /srv/square\r\nhttp.port: 9000\r\n",
                "# ours\n\nhttp:\n  port: 9000\ndata:   /srv/square  \n",
                "---\ndata: /srv/square",
            })
    void theDataFolderOfTheFileIsFoundHoweverItIsWritten(String text) throws Exception {
        settings(text);

        assertThat(checkout.run("status").out()).contains("is not running on /srv/square. ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "data:\n  /srv/square",
                "data: /srv/the\n  square",
                "data: ~/square",
                "data: \"/srv/\\u0061\"",
                "data: \"/srv/square\" and more",
                "data: 'it''s'",
                "data: &here /srv/square",
                "\"data\": /srv/square",
                "{data: /srv/square}",
                "  data: /srv/square",
            })
    void whatIsNotUnderstoodForSureIsRefused(String text) throws Exception {
        settings(text);

        var outcome = checkout.run("up");
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.out()).contains("hiroba.yaml", "--data");
        assertThat(checkout.home().resolve(".local")).doesNotExist();
    }

    @Test
    void aFlagGoesBeforeAVariableAndAVariableBeforeTheFile() throws Exception {
        settings("data: /srv/file");
        var variable = Map.of("HIROBA_DATA", "/srv/variable");

        assertThat(checkout.run(variable, "status", "--data=/srv/flag").out()).contains("on /srv/flag.");
        assertThat(checkout.run(variable, "status").out()).contains("on /srv/variable.");
    }

    @Test
    void withoutAHomeTheUsersOwnIsLookedUp() throws Exception {
        assertThat(checkout.run(Map.of("HOME", ""), "status").out())
                .contains("is not running on /", "/.local/share/hiroba.");
    }

    @Test
    void whatIsWrittenWronglyIsRefusedBeforeAnythingIsDone() throws Exception {
        refused("eighty", "up", "--port", "eighty");
        refused("65536", "up", "--port", "65536");
        refused("--port needs a value", "up", "--port", "");
        refused("--port needs a value", "up", "--port=");
        refused("--data needs a value", "up", "--data");
        refused("--data needs a value", "up", "--data", "");
        refused("--data needs a value", "up", "--data=");
        refused("Unexpected argument now", "up", "now");
        refused("--hard", "stop", "--hard");
        refused("version does not know --foo", "version", "--foo");
        refused("stop does not know --demo", "stop", "--demo");
        assertThat(checkout.mavenCalls()).isZero();
    }

    @Test
    void theLaunchersOwnVariablesDoNotReachTheServer(@TempDir Path jars) throws Exception {
        checkout.mavenWithJarsOf(Checkout.jars(jars));
        var ours = Map.of("HIROBA_NO_AOT", "1", "HIROBA_JVMS", "/nowhere", "HIROBA_NO_INSTALL", "1");

        var config = checkout.run(ours, "config", "--http.port", "9000", "--data", "/srv/square");
        assertThat(config.out()).endsWith("as configured: config --data=/srv/square --http.port=9000\n");
        assertThat(checkout.run(ours, "doctor").out()).contains("as configured: doctor");
        assertThat(checkout.run(ours, "models", "install", "e5", "--from", "here", "--data", "/srv/square")
                        .out())
                .endsWith("as configured: models --data=/srv/square -- install e5 --from here\n");
        assertThat(checkout.run(ours, "backup", "--to", "there", "--data", "/srv/square", "--limit=1MB/s")
                        .out())
                .endsWith("as configured: backup --data=/srv/square -- --to there --limit=1MB/s\n");
        assertThat(checkout.run(ours, "restore", "--from", "there", "--data", "/srv/new")
                        .out())
                .endsWith("as configured: restore --data=/srv/new -- --from there\n");
    }

    @Test
    void theCommandsOfThePackageKnowTheSettingsOfItsService() throws Exception {
        Path system = checkout.install();
        Path file = system.resolve("etc/hiroba/hiroba.yaml");
        Files.createDirectories(file.getParent());
        assertThat(checkout.run("status").out()).as("not set").contains(checkout.home() + "/.local/share/hiroba.");
        Files.writeString(file, "# none yet");

        assertThat(checkout.run("status").out()).contains("is not running on " + system + "/var/lib/hiroba.");
        assertThat(checkout.run("status", "--data=/srv/mine").out()).contains("on /srv/mine.");
        assertThat(checkout.run(Map.of("HIROBA_CONFIG", "/srv/hiroba.yaml"), "status")
                        .out())
                .contains("/.local/share/hiroba.");
        Files.setPosixFilePermissions(file, Set.of());
        var refused = checkout.runWithPermissions("status");
        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out()).contains(file.toString(), "`runuser -u hiroba -- hiroba …`", "--data");
        assertThat(checkout.runWithPermissions("status", "--data=/srv/mine").out())
                .contains("on /srv/mine.");
        settings("data: /srv/here");
        assertThat(checkout.run("status").out()).contains("on /srv/here.");
    }

    @Test
    void aFolderOfAnotherUserTellsNothingOfItsServer() throws Exception {
        Path theirs = Files.createDirectory(checkout.home().resolve("theirs"));
        String data = Files.createDirectory(theirs.resolve("data")).toString();
        Files.setPosixFilePermissions(theirs, Set.of());
        try {
            for (String command : List.of("stop", "status", "doctor", "upgrade-database")) {
                var outcome = checkout.runWithPermissions(command, "--data", data);
                assertThat(outcome.code()).isEqualTo(1);
                assertThat(outcome.out()).contains(data + " is not readable for you");
            }
        } finally {
            Files.setPosixFilePermissions(theirs, PosixFilePermissions.fromString("rwx------"));
        }
    }

    private void settings(String text) throws IOException {
        Files.writeString(checkout.home().resolve("hiroba.yaml"), text);
    }

    private void refused(String why, String... words) throws Exception {
        var outcome = checkout.run(words);
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.out()).contains(why);
    }
}
