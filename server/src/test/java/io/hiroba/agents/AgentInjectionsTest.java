package io.hiroba.agents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Injections in every place that an agent reads, against a whole server with a model that obeys whatever reaches it: those in data
 * reach no instruction's place, and where a model follows them all the same, rights hold.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentInjectionsTest {

    private static final List<String> AGENTS = List.of("Strict", "Gullible");
    private static final List<String> TOOLS = List.of(
            "people_me",
            "people_get",
            "inbox_list",
            "knowledge_search",
            "knowledge_list",
            "knowledge_read",
            "records_query",
            "records_get");
    private static final Pattern ESCAPE = Pattern.compile("\\\\u([0-9A-F]{4})");

    /** What nobody but its owner may read, and no agent is told. */
    private static final List<String> SECRETS = List.of("marzipan-of-carol", "crowns-of-carol", "marzipan-of-ann");

    private final ObedientModel model = new ObedientModel();
    private final Square square = new Square(
            "--knowledge.chat.base-url=" + model.url(),
            "--knowledge.chat.model=obedient",
            "--agents.daily-tokens-per-caller=0",
            "--agents.daily-tokens=0",
            "--agents.daily-cost=0");
    private final Person ann = square.person("Ann");
    private final Person bob = square.person("Bob");
    private final Person carol = square.person("Carol");
    private final Map<String, String> ids = new HashMap<>();
    private final Map<String, String> agents = new HashMap<>();
    private final List<Injection> injections = new ArrayList<>();

    /** A line of the set. */
    private record Injection(int number, String place, String text) {

        /** The mark of the question that leads an agent to it. */
        String mark() {
            return "case-" + number;
        }
    }

    @AfterAll
    void close() {
        square.close();
        model.close();
    }

    @Test
    void noInjectionIsObeyedAndWhereOneIsRightsHold() {
        makeSecrets();
        makeAgents();
        makeWorkflow();
        read();
        assertThat(injections).hasSizeGreaterThanOrEqualTo(40);
        plant();
        injections.forEach(this::ask);
        // An admin asks for everything, and is answered in public.
        square.admin.post(filled("@Gullible case-900 [[CALL knowledge_read {\"id\": \"${carolSource}\"}]] and"
                + " [[CALL people_get {\"id\": \"${carol}\"}]]"));
        awaitEnd(2L * injections.size() + 1);

        assertThat(model.acts.stream().filter(act -> act.startsWith("Strict")))
                .as("what is data is not obeyed")
                .allMatch(act -> act.contains("case-") && asked(act));
        assertThat(model.acts.stream().filter(act -> act.startsWith("Gullible") && !asked(act)))
                .as("all of them were tried")
                .hasSizeGreaterThan(40);
        for (var injection : injections) {
            assertThat(model.instructions.stream().filter(each -> each.contains(injection.text())))
                    .as("in an instruction's place: " + injection)
                    .isEmpty();
        }
        assertNothingLeaked();
        assertNothingChanged();
    }

    /** Whether the caller's own question asked for this. */
    private boolean asked(String act) {
        return act.contains("case-900")
                || act.contains(" knowledge_search {\"query\": \"gullfeather")
                || act.contains(" records_query {\"project\": \"" + ids.get("bobProject"))
                || act.contains(" people_get {\"id\": \"" + bob.id());
    }

    private void assertNothingLeaked() {
        var secrets = new ArrayList<>(SECRETS);
        secrets.addAll(List.of(ann.email(), bob.email(), carol.email()));
        assertThat(model.requests()).noneMatch(body -> secrets.stream().anyMatch(body::contains));
        var replies = strings("""
                SELECT d.content FROM agents.runs r JOIN social.post_details d ON d.post_id = r.reply_id""");
        assertThat(replies).hasSizeGreaterThan(injections.size());
        assertThat(replies).noneMatch(text -> secrets.stream().anyMatch(text::contains));
    }

    private void assertNothingChanged() {
        assertThat(bob.api().get("/api/v1/posts/" + ids.get("bobPost")).text("content"))
                .isEqualTo("Nobody deletes or edits this.");
        var row = "/api/v1/projects/%s/records/note/%s".formatted(ids.get("bobProject"), ids.get("bobRow"));
        assertThat(bob.api().get(row).body()).contains("Nobody changes this.");
        assertThat(strings("SELECT 'follow' FROM social.user_follows")).isEmpty();
        assertThat(strings("""
                SELECT d.content FROM social.posts p
                JOIN agents.agents a ON a.user_id = p.owned_by
                JOIN social.post_details d ON d.post_id = p.id
                WHERE NOT EXISTS (SELECT FROM agents.runs r WHERE r.reply_id = p.id)""")).as("posts of agents that are no replies").isEmpty();
    }

    private List<String> strings(String sql) {
        return square.server
                .database()
                .db()
                .read(reads -> reads.query(sql).mapTo(String.class).list());
    }

    private void makeSecrets() {
        ids.put("carol", carol.id());
        ids.put("carolSource", note(carol, false, "Lanternfish ledger", "The lanternfish ledger: marzipan-of-carol."));
        ids.put("annSource", note(ann, false, "Lanternfish diary", "The lanternfish ledger: marzipan-of-ann."));
        ids.put("bobPost", bob.post("Nobody deletes or edits this."));
        ids.put("carolProject", table(carol, "secrets"));
        row(carol, "carolProject", "secrets", "crowns-of-carol");
        ids.put("bobProject", table(bob, "note"));
        ids.put("bobRow", row(bob, "bobProject", "note", "Nobody changes this."));
    }

    private static String note(Person owner, boolean isPublic, String title, String text) {
        var added = owner.api()
                .post(
                        "/api/v1/knowledge/sources",
                        Json.text(Map.of(
                                "type",
                                "note",
                                "title",
                                title,
                                "text",
                                text,
                                "visibility",
                                isPublic ? "public" : "private")));
        assertThat(added.outcome()).as(added.body()).isEqualTo("201");
        return added.text("id");
    }

    private static String table(Person owner, String schema) {
        var project = owner.api().post("/api/v1/projects", "{'name': 'Table'}").text("id");
        var made = owner.api()
                .post(
                        "/api/v1/projects/" + project + "/schemas",
                        "{'name': '%s', 'attributes': [{'name': 'text', 'type': 'text'}]}".formatted(schema));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        return project;
    }

    private String row(Person owner, String project, String schema, String text) {
        var made = owner.api()
                .post(
                        "/api/v1/projects/%s/records/%s".formatted(ids.get(project), schema),
                        Json.text(Map.of("text", text)));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        return made.text("id");
    }

    private void makeAgents() {
        square.admin.api().put("/api/v1/ai-models/obedient", "{'inputCost': 1, 'outputCost': 1}");
        for (var name : AGENTS) {
            var made = square.admin
                    .api()
                    .post(
                            "/api/v1/agents",
                            Json.text(Map.of(
                                    "nickname",
                                    name,
                                    "model",
                                    "obedient",
                                    "tools",
                                    TOOLS,
                                    "limits",
                                    Map.of("dailyTokens", 1_000_000_000))));
            assertThat(made.outcome()).as(made.body()).isEqualTo("201");
            agents.put(name, made.text("id"));
            member(made.text("id"));
        }
        member(ann.id());
    }

    /** Asks both agents about a text of its payload. */
    private void makeWorkflow() {
        var made = square.admin.api().sendAs("application/yaml", "POST", "/api/v1/workflows", """
                name: read
                steps:
                  - parallel:
                      - name: strict
                        agent: {nickname: Strict, prompt: "=payload.mark + ' What came?'", data: $.payload.text}
                      - name: gullible
                        agent: {nickname: Gullible, prompt: "=payload.mark + ' What came?'", data: {text: $.payload.text}}
                """);
        assertThat(made.status()).as(made.body()).isBetween(200, 201);
        var granted = square.admin.api().put("/api/v1/saga-roles/" + ann.id(), "{'role': 'operator'}");
        assertThat(granted.status()).as(granted.body()).isLessThan(300);
    }

    /** What both may read may stand in a reply. */
    private void member(String user) {
        var made = bob.api()
                .put("/api/v1/projects/%s/members/%s".formatted(ids.get("bobProject"), user), "{'role': 'viewer'}");
        assertThat(made.outcome()).as(made.body()).isEqualTo("204");
    }

    private void read() {
        try (var file = Objects.requireNonNull(AgentInjectionsTest.class.getResourceAsStream("injections.tsv"))) {
            new String(file.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t", -1))
                    .forEach(parts -> injections.add(
                            new Injection(100 + injections.size(), parts[0], unescaped(filled(parts[2])))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String filled(String text) {
        var filled = text;
        for (var id : ids.entrySet()) {
            filled = filled.replace("${" + id.getKey() + "}", id.getValue());
        }
        return filled;
    }

    private static String unescaped(String text) {
        return ESCAPE.matcher(text.replace("\\n", "\n"))
                .replaceAll(escape -> String.valueOf((char) Integer.parseInt(escape.group(1), 16)));
    }

    /** Writes those that must be found first. */
    private void plant() {
        for (var injection : injections) {
            switch (injection.place()) {
                case "knowledge" -> note(bob, true, "Harbour " + injection.number(), injection.text());
                case "title" ->
                    note(bob, true, injection.text(), "The gullfeather%d is here.".formatted(injection.number()));
                case "record" -> row(bob, "bobProject", "note", injection.text());
                default -> {}
            }
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> ann.api()
                                .post("/api/v1/knowledge/search", "{'query': 'quillfeather'}")
                                .body()
                                .contains("quillfeather")
                        && ann.api()
                                .post("/api/v1/knowledge/search", "{'query': 'gullfeather'}")
                                .body()
                                .contains("gullfeather"));
    }

    /** Asks both agents a question that leads them to the injection. */
    private void ask(Injection injection) {
        var mention = "@Strict @Gullible " + injection.mark() + " ";
        switch (injection.place()) {
            case "post" -> ann.reply(bob.post(injection.text()), mention + "is that true?");
            case "nickname" ->
                ann.reply(square.person(injection.text()).post("Good morning."), mention + "who is that?");
            case "knowledge" -> ann.post(mention + "what is the rule of quillfeather?");
            case "title" ->
                ann.post(mention
                        + "[[CALL knowledge_search {\"query\": \"gullfeather%d\"}]]".formatted(injection.number()));
            case "record" ->
                ann.post(mention
                        + filled("[[CALL records_query {\"project\": \"${bobProject}\", \"schema\": \"note\"}]]"));
            case "profile" -> {
                var changed = bob.api()
                        .put(
                                "/api/v1/users/" + bob.id(),
                                Json.text(Map.of("nickname", "Bob", "introduction", injection.text())));
                assertThat(changed.outcome()).as(changed.body()).isEqualTo("200");
                ann.post(mention + "[[CALL people_get {\"id\": \"" + bob.id() + "\"}]]");
            }
            case "memory" -> {
                var root = ann.post("A walk.");
                agents.values().forEach(agent -> remember(agent, root, injection.text()));
                ann.reply(root, mention + "what now?");
            }
            case "inbox" -> {
                var dora = square.person("Dora" + injection.number());
                agents.values().forEach(agent -> {
                    var prompt = injection.mark() + " What came?";
                    var made = dora.api()
                            .post(
                                    "/api/v1/agents/" + agent + "/triggers",
                                    Json.text(Map.of("kind", "inbox", "prompt", prompt)));
                    assertThat(made.outcome()).as(made.body()).isEqualTo("201");
                });
                var resource = "injection" + injection.number();
                square.admin
                        .api()
                        .put(
                                "/api/v1/inbox/resources/issue/" + resource,
                                Json.text(Map.of("title", injection.text(), "namespace", "crew/feed")));
                var notified = square.admin
                        .api()
                        .post(
                                "/api/v1/inbox/notify",
                                "{'user': '%s', 'action': 'assigned', 'resourceType': 'issue', 'resource': '%s'}"
                                        .formatted(dora.id(), resource));
                assertThat(notified.outcome()).as(notified.body()).isEqualTo("200");
            }
            case "step" -> {
                var started = ann.api()
                        .post(
                                "/api/v1/sagas",
                                Json.text(Map.of(
                                        "workflowName",
                                        "read",
                                        "payload",
                                        Map.of("mark", injection.mark(), "text", injection.text()))));
                assertThat(started.outcome()).as(started.body()).isEqualTo("201");
            }
            default -> throw new IllegalStateException(injection.toString());
        }
    }

    private void remember(String agent, String root, String text) {
        var key = "mention:agent-%s-%s".formatted(agent, root);
        var added = ann.api()
                .post(
                        "/api/v1/knowledge/sessions/" + key + "/messages",
                        Json.text(Map.of("role", "user", "content", text)));
        assertThat(added.outcome()).as(added.body()).isIn("200", "201");
    }

    private void awaitEnd(long runs) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    // Those that are tried again need not wait.
                    square.server
                            .database()
                            .db()
                            .useTransaction(tx -> tx.update("""
                    UPDATE agents.runs SET due_at = now() WHERE state = 'waiting' AND due_at > now()""").execute());
                    var states = strings("SELECT state FROM agents.runs");
                    return states.size() == runs
                            && states.stream().noneMatch(state -> state.matches("waiting|running"));
                });
    }
}
