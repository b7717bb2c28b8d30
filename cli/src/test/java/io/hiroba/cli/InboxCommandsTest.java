package io.hiroba.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InboxCommandsTest {

    private static final String FIRST = "19A8C2E846E00000";
    private static final String SECOND = "19A8C2F111E00000";
    private static final String ITEMS = """
            {"items":[
              {"id":"%s","action":"review_requested","resourceType":"merge_request","read":false,
               "author":{"name":"Ben\\u001b[2J"},"namespace":{"path":"shop/web"},"resource":{"title":"Faster cart"}},
              {"id":"%s","action":"assigned","resourceType":"issue","read":true,"author":null,
               "namespace":{"path":"shop"},"resource":{"title":"Old cart"}}],
             "next":null}""".formatted(FIRST, SECOND);

    private final FakeServer server;
    private final CliRunner client;

    InboxCommandsTest(@TempDir Path home) throws IOException {
        server = new FakeServer();
        client = new CliRunner(home).with("HIROBA_URL", server.url()).with("HIROBA_TOKEN", "t");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void theWordAloneListsWhatIsToDo() {
        server.answering("GET /api/v1/inbox", 200, ITEMS);
        assertThat(client.run("inbox").out()).isEqualTo("""
                ID                   WANTED            BY       WHERE     WHAT
                19A8C2E846E00000  *  review requested  Ben\uFFFD[2J  shop/web  Faster cart
                19A8C2F111E00000     assigned                   shop      Old cart
                """);
        server.answering("GET /api/v1/inbox", 200, "{\"items\":[],\"next\":null}");
        assertThat(client.run("inbox", "list").out()).isEqualTo("There is nothing.\n");
    }

    @Test
    void aListIsFiltered() {
        server.answering(
                "GET /api/v1/inbox?state=done&action=assigned%2Cmentioned&type=issue&namespace=19A8C2E846E00000&author=ben&sort=oldest&limit=5",
                200, ITEMS);
        assertThat(client.run(
                                "inbox",
                                "list",
                                "--state",
                                "done",
                                "--action",
                                "assigned,mentioned",
                                "--type",
                                "issue",
                                "--namespace",
                                FIRST,
                                "--author",
                                "ben",
                                "--sort",
                                "oldest",
                                "--limit",
                                "5")
                        .out())
                .contains("Faster cart", "Old cart");
    }

    @Test
    void itemsAreDoneByIdOrByAPartThatOnlyOneHas() {
        server.answering("GET /api/v1/inbox?state=todo&sort=newest&limit=100", 200, ITEMS);
        server.answering("GET /api/v1/inbox?state=snoozed&sort=newest&limit=100", 200, "{\"items\":[]}");
        server.answering("GET /api/v1/inbox?state=done&sort=newest&limit=100", 200, "{\"items\":[]}");
        server.answering("POST /api/v1/inbox/bulk", 200, ITEMS);
        assertThat(client.run("inbox", "done", FIRST, "f111", SECOND).out()).isEqualTo("2 done.\n");
        assertThat(CliJson.read(server.lastRequest().body()))
                .isEqualTo(CliJson.read("{\"action\":\"done\",\"ids\":[\"%s\",\"%s\"]}".formatted(FIRST, SECOND)));
        int asked = server.requests().size();
        assertThat(client.run("inbox", "restore", "19a8c2").err()).contains("Several items");
        assertThat(client.run("inbox", "restore", "ABCDEF").err()).contains("None of the newest");
        assertThat(client.run("inbox", "restore", "../me").code()).isEqualTo(Cli.USAGE);
        assertThat(client.run("inbox", "restore").code()).isEqualTo(Cli.USAGE);
        assertThat(server.requests().stream().skip(asked))
                .noneMatch(request -> request.line().startsWith("POST"));
    }

    @Test
    void everythingIsDoneAtOnceOnlyIfThatIsSaid() {
        server.answering("POST /api/v1/inbox/done-all", 200, "{\"done\":1234}");
        assertThat(client.run("inbox", "done", "--all").out()).isEqualTo("1,234 done.\n");
        assertThat(client.run("inbox", "done", "--all", FIRST).code()).isEqualTo(Cli.USAGE);
        assertThat(client.run("inbox", "done").code()).isEqualTo(Cli.USAGE);
        assertThat(server.requests()).hasSize(1);
    }

    @Test
    void itemsAreSnoozedAndSaved() {
        server.answering("POST /api/v1/inbox/bulk", 200, ITEMS);
        assertThat(client.run("inbox", "snooze", FIRST, "--for", "4h").out()).isEqualTo("2 snoozed.\n");
        assertThat(CliJson.read(server.lastRequest().body()))
                .isEqualTo(CliJson.read("{\"action\":\"snooze\",\"ids\":[\"%s\"],\"preset\":\"4h\"}".formatted(FIRST)));
        client.run("inbox", "snooze", FIRST, "--until", "2030-05-01T08:00:00Z");
        assertThat(server.lastRequest().body()).contains("\"until\":\"2030-05-01T08:00:00Z\"");
        client.run("inbox", "snooze", FIRST, "--until-event", "comment");
        assertThat(server.lastRequest().body()).contains("\"untilEvent\":\"comment\"");
        assertThat(client.run("inbox", "snooze", FIRST).code()).isEqualTo(Cli.USAGE);
        assertThat(client.run("inbox", "snooze", FIRST, "--for", "4h", "--until-event", "any")
                        .code())
                .isEqualTo(Cli.USAGE);
        assertThat(client.run("inbox", "save", FIRST).out()).isEqualTo("2 saved.\n");
        assertThat(client.run("inbox", "unsave", FIRST).out()).isEqualTo("2 no longer saved.\n");
        assertThat(client.run("inbox", "unsnooze", FIRST).out()).isEqualTo("2 to do again.\n");
    }

    @Test
    void anApprovalIsGivenOrRefusedWithACommentAndAnswers() {
        var item = "{\"id\":\"19A8C2E846E00000\",\"resource\":{\"title\":\"Order 7\"}}";
        server.answering("POST /api/v1/inbox/19A8C2E846E00000/approve", 200, item);
        server.answering("POST /api/v1/inbox/19A8C2E846E00000/reject", 200, item);
        var approved = client.run(
                "inbox",
                "approve",
                "19A8C2E846E00000",
                "--comment",
                "fine",
                "--answer",
                "amount=3",
                "--answer",
                "to=a=b");
        assertThat(approved.out()).isEqualTo("Approved: Order 7\n");
        assertThat(CliJson.read(server.lastRequest().body()))
                .isEqualTo(CliJson.read("{\"comment\":\"fine\",\"answers\":{\"amount\":\"3\",\"to\":\"a=b\"}}"));
        assertThat(client.run("inbox", "reject", "19A8C2E846E00000").out()).isEqualTo("Rejected: Order 7\n");
    }

    @Test
    void theCountsAreOneSentence() {
        server.answering(
                "GET /api/v1/inbox/counts", 200, "{\"todo\":1200,\"snoozed\":2,\"saved\":3,\"done\":4,\"unread\":5}");
        assertThat(client.run("inbox", "counts").out())
                .isEqualTo("1,200 to do, 5 of them unread; 2 snoozed, 3 saved, 4 done.\n");
        assertThat(client.run("inbox", "counts", "--json").out()).contains("\"todo\":1200");
    }
}
