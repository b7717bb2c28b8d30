package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Outgoing webhooks from the command line. */
class WebhookCommandsTest {

    private static final String PATH = "/api/v1/webhooks";
    private static final String ID = "198C2E846EE00000";

    private final FakeServer server;
    private final CliRunner client;

    WebhookCommandsTest(@TempDir Path home) throws IOException {
        server = new FakeServer();
        client = new CliRunner(home).with("HIROBA_URL", server.url()).with("HIROBA_TOKEN", "t");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void aWebhookIsMadeWithItsTypesAndItsSecretIsPrintedOnce() {
        server.answering("POST " + PATH, 201, "{\"id\":\"" + ID + "\",\"secret\":\"whsec_x\",\"webhook\":{}}");
        var outcome = client.run("webhook", "create", "https://example.org/hook", "saga.*", "post.created");
        assertThat(outcome.out()).isEqualTo("Created webhook " + ID + ". Secret: whsec_x\n");
        assertThat(server.lastRequest().body())
                .contains("\"url\":\"https://example.org/hook\"", "\"events\":[\"saga.*\",\"post.created\"]");
    }

    @Test
    void webhooksAndTheirDeliveriesAreListed() {
        server.answering("GET " + PATH, 200, """
                {"items":[{"id":"%s","url":"https://example.org/hook","events":["saga.*"],"enabled":true,
                           "failingSince":"2026-11-18T00:00:00Z"}]}""".formatted(ID));
        assertThat(client.run("webhook", "list").out()).contains(ID, "failing", "https://example.org/hook", "saga.*");
        server.answering("GET " + PATH + "/" + ID + "/deliveries?status=failed", 200, """
                {"items":[{"id":"198C2E846EE00001","type":"saga.stuck","status":"failed","attempts":9,"error":"timeout",
                           "createdAt":"2026-11-18T00:00:00Z"}]}""");
        assertThat(client.run("webhook", "deliveries", ID, "--status", "failed").out())
                .contains("saga.stuck", "failed", "9", "timeout");
    }
}
