package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignInTest {

    private final FakeServer server;
    private final CliRunner client;

    SignInTest(@TempDir Path home) throws IOException {
        server = new FakeServer();
        client = new CliRunner(home);
    }

    @BeforeEach
    void tokensAreGiven() {
        server.answering("POST /api/v1/tokens", 201, """
                {"id":"00000000000000A1","token":"hiroba_secret"}""");
        server.answering("DELETE /api/v1/tokens/00000000000000A1", 204, "");
        server.answering("GET /api/v1/me", 200, """
                {"id":"00000000000000B2","nickname":"Ada","email":"ada@example.org","isAdmin":true}""");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private CliRunner.Outcome login() {
        return client.typing("correct horse\n")
                .run("login", "--url", server.url(), "--email", "ada@example.org", "--password-stdin");
    }

    @Test
    void loginKeepsATokenInAFileThatOnlyTheOwnerReads() throws IOException {
        var outcome = login();

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("Signed in at " + server.url() + " as ada@example.org.");
        assertThat(server.lastRequest().body()).contains("\"password\":\"correct horse\"");
        assertThat(Files.readString(client.credentials())).contains("hiroba_secret", server.url());
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(client.credentials())))
                .isEqualTo("rw-------");
    }

    @Test
    void aCodeOfTheSecondFactorIsSentWithThePassword() {
        client.typing("correct horse\n")
                .run(
                        "login",
                        "--url",
                        server.url(),
                        "--email",
                        "ada@example.org",
                        "--password-stdin",
                        "--code",
                        "123456");

        assertThat(server.lastRequest().body()).contains("\"code\":\"123456\"");
    }

    @Test
    void whoIsSigningInIsNotToldToSignIn() {
        server.answering("POST /api/v1/tokens", 401, """
                {"code":"accounts.second-factor-required","detail":"The account has a second factor: send `code` as well."}""");
        assertThat(login().err()).contains("add --code 123456").doesNotContain("`code`", "hiroba login");

        server.answering("POST /api/v1/tokens", 401, """
                {"code":"accounts.wrong-credentials","detail":"The password is wrong."}""");
        assertThat(login().err()).contains("The password is wrong.").doesNotContain("hiroba login");
    }

    @Test
    void theTokenIsSentAfterwardsAndNeverPrinted() {
        var login = login();
        var outcome = client.run("whoami");

        assertThat(outcome.code()).isZero();
        assertThat(outcome.out()).contains("nickname  Ada", "role      admin");
        assertThat(server.lastRequest().authorization()).isEqualTo("Bearer hiroba_secret");
        assertThat(login.out() + login.err() + outcome.out()).doesNotContain("hiroba_secret");
    }

    @Test
    void aRememberedTokenIsNotSentToAnotherServer() throws IOException {
        login();
        try (var other = new FakeServer()) {
            var outcome = client.run("whoami", "--url", other.url());

            assertThat(outcome.code()).isEqualTo(Cli.FAILED);
            assertThat(outcome.err()).contains("You are not signed in at " + other.url());
            assertThat(other.requests()).isEmpty();
        }
    }

    @Test
    void variablesReplaceTheRememberedSignIn() {
        var outcome = client.with("HIROBA_URL", server.url() + "/")
                .with("HIROBA_TOKEN", "from_variable")
                .run("whoami", "--json");

        assertThat(outcome.out().strip()).startsWith("{\"id\":\"00000000000000B2\"");
        assertThat(server.lastRequest().authorization()).isEqualTo("Bearer from_variable");
    }

    @Test
    void logoutRevokesAndForgets() {
        login();
        var outcome = client.run("logout");

        assertThat(outcome.code()).isZero();
        assertThat(server.lastRequest().line()).isEqualTo("DELETE /api/v1/tokens/00000000000000A1");
        assertThat(client.credentials()).doesNotExist();
        assertThat(client.run("logout").out()).contains("You were not signed in.");
    }

    @Test
    void logoutForgetsATokenThatIsRevokedAlready() {
        login();
        server.answering("DELETE /api/v1/tokens/00000000000000A1", 401, "{\"detail\":\"Not signed in.\"}");

        assertThat(client.run("logout").code()).isZero();
        assertThat(client.credentials()).doesNotExist();
    }

    @Test
    void logoutKeepsTheTokenWhenItCannotBeRevoked() {
        login();
        server.answering("DELETE /api/v1/tokens/00000000000000A1", 503, "{\"detail\":\"Try again shortly.\"}");

        assertThat(client.run("logout").code()).isEqualTo(Cli.FAILED);
        assertThat(client.credentials()).exists();
    }

    @Test
    void aRefusedLoginIsOneSentenceAndKeepsNothing() {
        server.answering("POST /api/v1/tokens", 401, """
                {"status":401,"code":"accounts.bad-login","detail":"E-mail or password is wrong.","errors":[]}""");
        var outcome = login();

        assertThat(outcome.code()).isEqualTo(Cli.FAILED);
        assertThat(outcome.err()).startsWith("E-mail or password is wrong.\n").doesNotContain("Exception");
        assertThat(client.credentials()).doesNotExist();
    }

    @Test
    void withoutATerminalThePasswordMustBePipedIn() {
        var outcome = client.run("login", "--url", server.url(), "--email", "ada@example.org");

        assertThat(outcome.code()).isEqualTo(Cli.USAGE);
        assertThat(outcome.err()).contains("--password-stdin");
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void aBrokenCredentialsFileSaysWhatToDo() throws IOException {
        Files.createDirectories(client.credentials().getParent());
        Files.writeString(client.credentials(), "not json");

        var outcome = client.run("whoami");
        assertThat(outcome.code()).isEqualTo(Cli.FAILED);
        assertThat(outcome.err()).contains("delete it and sign in again");
    }
}
