package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The client against a whole Hiroba. */
@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class RealServerTest {

    private final TestServer server = TestServer.start(
            "--http.rate-limit.enabled=false",
            "--accounts.limits.log-ins-per-minute=1000",
            "--accounts.limits.failures-per-account=1000");
    private final Path home;

    RealServerTest(@TempDir Path home) {
        this.home = home;
    }

    @AfterAll
    void stop() {
        server.close();
    }

    private CliRunner signedIn(String name, String email, String password) {
        var client = new CliRunner(home.resolve(name));
        var login = client.typing(password + "\n")
                .run("login", "--url", server.url(), "--email", email, "--password-stdin");
        assertThat(login.err()).isEmpty();
        assertThat(login.code()).isZero();
        return client;
    }

    private CliRunner admin() {
        return signedIn("admin", TestServer.ADMIN_EMAIL, TestServer.ADMIN_PASSWORD);
    }

    private static JsonNode json(CliRunner.Outcome outcome) {
        assertThat(outcome.err()).isEmpty();
        return CliJson.read(outcome.out()).orElseThrow();
    }

    private static JsonNode create(CliRunner admin, String nickname, String email) {
        return json(admin.typing("another password\n")
                .run("user", "create", "--email", email, "--nickname", nickname, "--password-stdin", "--json"));
    }

    @Test
    void anAdminMakesUsersAndFindsThem() {
        var admin = admin();
        assertThat(admin.run("whoami").out()).contains(TestServer.ADMIN_EMAIL, "admin");

        var made = create(admin, "広場の人", "hito@example.org");
        assertThat(admin.run("user", "list", "--prefix", "広場").out())
                .contains(made.path("id").asString(), "広場の人", "hito@example.org  member");
        assertThat(admin.run("user", "show", made.path("id").asString()).out()).contains("広場の人");
    }

    @Test
    void aWorkflowIsAppliedAndItsSagaFollowedToItsEnd() throws IOException {
        var admin = admin();
        var file = Files.writeString(
                home.resolve("approval.yaml"), "name: approval\nsteps:\n  - {name: ask, waitForSignal: approve}\n");
        assertThat(admin.run("workflow", "apply", file.toString()).out()).isEqualTo("approval is at version 1.\n");
        assertThat(admin.run("workflow", "list").out()).containsPattern("approval +1 +on");
        assertThat(admin.run("workflow", "show", "approval").out()).contains("{name: ask, waitForSignal: approve}");

        var id = json(admin.run(
                        "saga", "start", "approval", "--payload", "{\"n\":1}", "--correlation-id", "c-1", "--json"))
                .path("id")
                .asString();
        assertThat(admin.run("saga", "list", "--correlation-id", "c-1").out()).contains(id);
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(admin.run("saga", "show", id).out())
                        .contains("waits for   the signal approve (step ask)"));
        assertThat(admin.run("saga", "signal", id, "approve", "--payload", "{\"by\":\"me\"}")
                        .code())
                .isZero();
        var watched = admin.run("saga", "watch", id);
        assertThat(watched.out()).isEqualTo("COMPLETED\n");
        assertThat(watched.err()).contains("do ask: SUCCESS");
        assertThat(admin.run("saga", "cancel", id).err()).contains("The saga has already ended as COMPLETED");
    }

    @Test
    void aListGoesOnAfterItsFirstPage() {
        var admin = admin();
        create(admin, "paged one", "paged1@example.org");
        create(admin, "paged two", "paged2@example.org");

        var first = json(admin.run("user", "list", "--prefix", "paged", "--limit", "1", "--json"));
        var second = json(admin.run(
                "user",
                "list",
                "--prefix",
                "paged",
                "--after",
                first.path("next").asString(),
                "--json"));
        assertThat(first.path("items").path(0).path("nickname").asString()).isEqualTo("paged one");
        assertThat(second.path("items").path(0).path("nickname").asString()).isEqualTo("paged two");
    }

    @Test
    void aMemberIsRefusedWhatOnlyAdminsMayDo() {
        create(admin(), "member", "member@example.org");
        var member = signedIn("member", "member@example.org", "another password");

        var refused = member.typing("another password\n")
                .run("user", "create", "--email", "x@example.org", "--nickname", "x", "--password-stdin");
        assertThat(refused.code()).isEqualTo(Cli.FAILED);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err()).isNotBlank().doesNotContain("Exception");
    }

    @Test
    void aWrongPasswordOrFieldIsRefusedInASentence() {
        var login = new CliRunner(home)
                .typing("wrong password\n")
                .run("login", "--url", server.url(), "--email", TestServer.ADMIN_EMAIL, "--password-stdin");
        assertThat(login.code()).isEqualTo(Cli.FAILED);
        assertThat(login.err()).isNotBlank();

        var create = admin().typing("another password\n")
                .run("user", "create", "--email", "no address", "--nickname", "x", "--password-stdin");
        assertThat(create.code()).isEqualTo(Cli.FAILED);
        assertThat(create.err()).contains("email");
    }

    @Test
    void postsAreWrittenReadAnsweredAndDeleted() {
        create(admin(), "writer", "writer@example.org");
        var writer = signedIn("writer", "writer@example.org", "another password");
        var posted = writer.run("post", "# 今日は\n\nHello *square*", "--tag", "Greeting", "--no-replies");
        assertThat(posted.err()).isEmpty();
        var id = posted.out().lines().findFirst().orElseThrow().replace("Posted ", "");
        assertThat(posted.out()).contains(server.url() + "/posts/" + id);

        assertThat(writer.run("feed").out())
                .contains("writer · ", id, "  今日は\n  Hello square\n  ♥ 0  ↩ 0  #greeting\n");
        assertThat(writer.run("feed", "--newest", "--tag", "greeting").out()).contains(id);
        assertThat(writer.run("feed", "--tag", "nothing-here").out()).isEqualTo("There are no such posts.\n");
        assertThat(writer.run("post", "show", id).out()).contains("# 今日は", "Hello *square*");

        var refused = admin().run("post", "Well said", "--reply-to", id);
        assertThat(refused.code()).isEqualTo(Cli.FAILED);
        assertThat(refused.err()).isNotBlank().doesNotContain("Exception");

        var reply = json(writer.typing("piped *in*\n").run("post", "--json"));
        assertThat(reply.path("content").asString()).isEqualTo("piped *in*");
        assertThat(writer.run("post", "delete", id).out()).isEqualTo("Deleted post %s.\n".formatted(id));
        assertThat(writer.run("post", "show", id).code()).isEqualTo(Cli.FAILED);
    }

    @Test
    void whatWasWrittenIsFound() {
        create(admin(), "seeker", "seeker@example.org");
        var seeker = signedIn("seeker", "seeker@example.org", "another password");
        var id = json(seeker.run("post", "A *vermilion* bridge", "--json"))
                .path("id")
                .asString();

        await().atMost(Duration.ofSeconds(15))
                .untilAsserted(() ->
                        assertThat(seeker.run("search", "vermilion").out()).contains(id));
        assertThat(seeker.run("search", "vermilion -bridge").out()).isEqualTo("Nothing was found.\n");
    }

    @Test
    void whatIsAnothersCannotBeDeleted() {
        var id = json(admin().run("post", "mine", "--json")).path("id").asString();
        create(admin(), "stranger", "stranger@example.org");
        var stranger = signedIn("stranger", "stranger@example.org", "another password");

        assertThat(stranger.run("post", "delete", id).code()).isEqualTo(Cli.FAILED);
        assertThat(stranger.run("post", "show", id).out()).contains("mine");
    }

    @Test
    void allPagesOfAFeedComeAsOne() {
        create(admin(), "diligent", "diligent@example.org");
        var diligent = signedIn("diligent", "diligent@example.org", "another password");
        for (int i = 1; i <= 5; i++) {
            assertThat(diligent.run("post", "page " + i).code()).isZero();
        }

        var all = json(diligent.run("feed", "--all", "--limit", "2", "--json"));
        assertThat(all.path("items")
                        .valueStream()
                        .map(post -> post.path("snippet").path(0).path("X").asString()))
                .containsExactly("page 5", "page 4", "page 3", "page 2", "page 1");
        assertThat(all.path("next").isNull()).isTrue();
        assertThat(diligent.run("feed", "--limit", "2").err()).contains("--after ");
    }

    @Test
    void aTokenWorksUntilItIsRevoked() {
        var admin = admin();
        var made = json(admin.typing(TestServer.ADMIN_PASSWORD + "\n")
                .run("token", "create", "--name", "robot", "--password-stdin", "--json"));
        var robot = new CliRunner(home.resolve("robot"))
                .with("HIROBA_URL", server.url())
                .with("HIROBA_TOKEN", made.path("token").asString());
        assertThat(robot.run("whoami").code()).isZero();
        assertThat(admin.run("token", "list").out()).contains("robot");

        assertThat(admin.run("token", "revoke", made.path("id").asString()).code())
                .isZero();
        assertThat(robot.run("whoami").code()).isEqualTo(Cli.FAILED);
    }

    @Test
    void logoutEndsTheTokenAtTheServer() {
        var admin = admin();
        var token =
                new CredentialsFile(admin.surroundings()).read().orElseThrow().token();
        assertThat(admin.run("logout").code()).isZero();

        var thief = new CliRunner(home.resolve("thief"))
                .with("HIROBA_URL", server.url())
                .with("HIROBA_TOKEN", token);
        assertThat(thief.run("whoami").code()).isEqualTo(Cli.FAILED);
    }
}
