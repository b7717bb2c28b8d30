package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Agents from the command line. */
class AgentCommandsTest {

    private static final String PATH = "/api/v1/agents";
    private static final String ID = "198C2E846EE00000";
    private static final String AGENT = """
            {"id":"%s","nickname":"Kiki","model":"librarian","tools":["posts_search"],"enabled":true,
             "createdAt":"2026-11-18T00:00:00Z"}""".formatted(ID);

    private final FakeServer server;
    private final CliRunner client;

    AgentCommandsTest(@TempDir Path home) throws IOException {
        server = new FakeServer();
        client = new CliRunner(home).with("HIROBA_URL", server.url()).with("HIROBA_TOKEN", "t");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void anAgentIsMadeOnTheBuiltInModelUnlessAnotherIsGiven() {
        server.answering("POST " + PATH, 201, AGENT);
        assertThat(client.run("agent", "create", "Kiki", "--tool", "posts_search")
                        .out())
                .isEqualTo("Created agent Kiki (" + ID + ").\n");
        assertThat(server.lastRequest().body()).contains("\"model\":\"librarian\"", "\"tools\":[\"posts_search\"]");
    }

    @Test
    void agentsAndTheirRunsAreListed() {
        server.answering("GET " + PATH, 200, "{\"items\":[" + AGENT + "]}");
        assertThat(client.run("agent", "list").out()).contains(ID, "Kiki", "librarian", "enabled");
        server.answering("GET " + PATH + "/" + ID, 200, AGENT);
        assertThat(client.run("agent", "show", ID).out()).contains("Kiki", "posts_search");
        server.answering("GET " + PATH + "/" + ID + "/runs", 200, """
                {"items":[{"id":"198C2E846EE00001","state":"refused","reason":"depth","postId":"198C2E846EE00002",
                           "cost":0,"createdAt":"2026-11-18T00:00:00Z"}]}""");
        assertThat(client.run("agent", "runs", ID).out()).contains("refused", "depth", "198C2E846EE00002");
    }
}
