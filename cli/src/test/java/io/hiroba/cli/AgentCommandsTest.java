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
    void whatIsGivenIsSetAndChangedAndNothingElse() {
        server.answering("POST " + PATH, 201, AGENT);
        client.run("agent", "create", "Kiki", "--wake", "step", "--wake", "message", "--caller", ID, "--turns", "4");
        assertThat(server.lastRequest().body())
                .contains("\"wake\":[\"step\",\"message\"]", "\"callers\":[\"" + ID + "\"]", "\"limits\":{\"turns\":4}")
                .doesNotContain("tools", "personality");
        server.answering("PATCH " + PATH + "/" + ID, 200, AGENT);
        assertThat(client.run("agent", "update", ID, "--enabled", "false", "--everybody", "--no-tools")
                        .out())
                .isEqualTo("Changed agent Kiki.\n");
        assertThat(server.lastRequest().body())
                .contains("\"enabled\":false", "\"callers\":[]", "\"tools\":[]")
                .doesNotContain("nickname", "wake", "limits");
        assertThat(client.run("agent", "update", ID).err())
                .isEqualTo(
                        "%s\n".formatted("Nothing is given to change: name at least one option, such as --nickname."));
        assertThat(client.run("agent", "update", ID, "--daily-cost", "abc").err())
                .contains("\"abc\" is not a number")
                .doesNotContain("Exception");
        assertThat(client.run("workflow", "apply", "/nope.yaml").err())
                .isEqualTo("/nope.yaml cannot be read: there is no such file\n");
        server.answering("DELETE " + PATH + "/" + ID, 204, "");
        assertThat(client.run("agent", "delete", ID).out()).isEqualTo("Deleted agent " + ID + ".\n");
    }

    @Test
    void agentsAndTheirRunsAreListed() {
        server.answering("GET " + PATH, 200, "{\"items\":[" + AGENT + "]}");
        assertThat(client.run("agent", "list").out()).contains(ID, "Kiki", "librarian", "enabled");
        server.answering("GET " + PATH + "/" + ID, 200, AGENT);
        assertThat(client.run("agent", "show", ID).out()).contains("Kiki", "posts_search", "everybody");
        server.answering(
                "GET " + PATH, 200, "{\"items\":[%s],\"next\":null}".formatted(AGENT.replace("\"enabled\"", """
                    "personality":"Kind","wake":["mention","step"],"callers":["198C2E846EE00009"],
                    "limits":{"turns":4,"seconds":60,"dailyTokens":null,"dailyCost":2.5},"enabled\"\
                    """)));
        assertThat(client.run("agent", "show", "kiki").out())
                .contains(ID, "Kind", "mention step", "198C2E846EE00009", "4 turns, 60 seconds, any number of tokens")
                .contains("2.5 US dollars");
        assertThat(client.run("agent", "show", "Koko").err()).contains("There is no agent called Koko");
        server.answering("GET " + PATH + "/" + ID + "/runs", 200, """
                {"items":[{"id":"198C2E846EE00001","state":"refused","reason":"depth","postId":"198C2E846EE00002",
                           "cost":0,"createdAt":"2026-11-18T00:00:00Z"}]}""");
        assertThat(client.run("agent", "runs", ID).out()).contains("refused", "depth", "198C2E846EE00002");
        assertThat(client.run("agent", "runs", "kiki").out()).contains("refused", "depth", "198C2E846EE00002");
    }

    @Test
    void agentsArePausedAndRunsStopped() {
        server.answering("POST " + PATH + "/" + ID + "/pause", 200, "{\"paused\":true,\"openRuns\":0}");
        assertThat(client.run("agent", "pause", ID, "--end-runs").out()).isEqualTo("The agent is paused.\n");
        assertThat(server.lastRequest().body()).contains("\"endRuns\":true");
        server.answering("POST /api/v1/admin/agents/resume", 200, "{\"paused\":false}");
        assertThat(client.run("agent", "resume").out()).isEqualTo("All agents go on.\n");
        server.answering("POST " + PATH + "/" + ID + "/runs/198C2E846EE00001/stop", 200, "{\"state\":\"stopped\"}");
        assertThat(client.run("agent", "stop", ID, "198C2E846EE00001").out())
                .isEqualTo("Stopped run 198C2E846EE00001.\n");
        server.answering("GET " + PATH + "/statistics?range=7d", 200, """
                {"range":"7d","limited":true,"all":{"runs":3,"answered":2,"failed":1,"refused":0,"cost":0.5,"p50Seconds":1.25},
                 "agents":[{"nickname":"Kiki","runs":3,"answered":2,"failed":1,"refused":0,"cost":0.5}],
                 "causes":[{"state":"failed","reason":"budget","runs":1}]}""");
        var stats = client.run("agent", "stats", "--range", "7d");
        assertThat(stats.out()).contains("all", "Kiki", "1.3 s", "budget");
        assertThat(stats.err()).contains("newest");
    }

    @Test
    void triggersAreListedAddedAndDeleted() {
        var triggers = PATH + "/" + ID + "/triggers";
        server.answering("POST " + triggers, 201, "{\"id\":\"198C2E846EE00003\"}");
        assertThat(client.run(
                                "agent",
                                "trigger",
                                "add",
                                ID,
                                "schedule",
                                "What is new?",
                                "--time",
                                "08:00",
                                "--day",
                                "monday",
                                "--time-zone",
                                "Asia/Tokyo")
                        .out())
                .isEqualTo("Added trigger 198C2E846EE00003.\n");
        assertThat(server.lastRequest().body())
                .contains("\"days\":[\"monday\"]", "\"timeZone\":\"Asia/Tokyo\"", "\"kind\":\"schedule\"");
        server.answering("GET " + triggers, 200, """
                {"items":[{"id":"198C2E846EE00003","kind":"schedule","prompt":"What is new?","time":"08:00","days":["monday"],
                           "timeZone":"Asia/Tokyo"}]}""");
        assertThat(client.run("agent", "trigger", "list", ID).out())
                .contains("08:00 Asia/Tokyo monday", "What is new?");
        server.answering("DELETE " + triggers + "/198C2E846EE00003", 204, "");
        assertThat(client.run("agent", "trigger", "delete", ID, "198C2E846EE00003")
                        .out())
                .contains("Deleted trigger");
    }

    @Test
    void memoryIsSeenCorrectedAndForgotten() {
        var memory = PATH + "/" + ID + "/memory";
        server.answering("GET " + memory, 200, """
                {"items":[{"postId":"198C2E846EE00004","messageCount":2,"version":2,"archived":0,"lastActiveAt":"2026-11-18T00:00:00Z"}]}""");
        assertThat(client.run("agent", "memory", "list", ID).out()).contains("198C2E846EE00004");
        server.answering("GET " + memory + "/198C2E846EE00004", 200, """
                {"thread":{},"messages":[{"index":0,"role":"user","content":"I like nuts"}]}""");
        assertThat(client.run("agent", "memory", "show", ID, "198C2E846EE00004").out())
                .contains("I like nuts");
        server.answering("PATCH " + memory + "/198C2E846EE00004/messages/0", 200, "{}");
        assertThat(client.run("agent", "memory", "correct", ID, "198C2E846EE00004", "0", "No nuts")
                        .out())
                .isEqualTo("Corrected.\n");
        assertThat(server.lastRequest().body()).contains("No nuts");
        server.answering("DELETE " + memory, 204, "");
        assertThat(client.run("agent", "memory", "forget", ID).out()).isEqualTo("Forgotten.\n");
    }

    @Test
    void serversOfToolsAreAddedAndTheirToolsAllowed() {
        var servers = "/api/v1/admin/tool-servers";
        server.answering("POST " + servers, 201, "{\"id\":\"198C2E846EE00005\"}");
        assertThat(client.run("agent", "server", "add", "weather", "https://weather.example/mcp")
                        .out())
                .contains("Added server weather (198C2E846EE00005).");
        server.answering("POST " + servers + "/198C2E846EE00005/refresh", 200, """
                {"tools":[{"name":"weather__forecast","state":"new","digest":"abc","description":"Tells the weather","inputSchema":{}}]}""");
        assertThat(client.run("agent", "server", "refresh", "198C2E846EE00005").out())
                .contains("weather__forecast", "abc", "Tells the weather");
        server.answering("PUT " + servers + "/198C2E846EE00005/tools/weather__forecast", 200, "{}");
        assertThat(client.run(
                                "agent",
                                "server",
                                "allow",
                                "198C2E846EE00005",
                                "weather__forecast",
                                "--digest",
                                "abc",
                                "--effect",
                                "reads")
                        .out())
                .isEqualTo("Agents can be given weather__forecast now.\n");
        assertThat(server.lastRequest().body()).contains("\"effect\":\"reads\"");
    }
}
