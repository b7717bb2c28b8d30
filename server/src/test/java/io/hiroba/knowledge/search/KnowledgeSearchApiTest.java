package io.hiroba.knowledge.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import io.hiroba.testkit.Square.Person;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Searching over HTTP, on a whole server with its own model. */
class KnowledgeSearchApiTest {

    private static Square square;
    private static Person reader;

    @BeforeAll
    static void start() {
        square = new Square();
        reader = square.person("Reader");
    }

    @AfterAll
    static void stop() {
        square.close();
    }

    private static String asked(String json) {
        return reader.api().post("/api/v1/knowledge/search", json).outcome();
    }

    @Test
    void anEmptyMemoryFindsNothingAndSaysWhy() {
        var reply = reader.api().post("/api/v1/knowledge/search", "{'query': 'cats', 'mode': 'hybrid'}");
        assertThat(reply.outcome()).isEqualTo("200");
        assertThat(reply.json().path("items")).isEmpty();
        assertThat(reply.json().path("truncated").asBoolean()).isTrue();
        assertThat(reply.text("why")).contains("No more chunks");
        var japanese = reader.api().with("Accept-Language", "ja");
        assertThat(japanese.post("/api/v1/knowledge/search", "{'query': 'cats'}")
                        .text("why"))
                .contains("これ以上ありません");
    }

    @Test
    void whatIsWrongWithAQuestionIsSaidByField() {
        assertThat(asked("{}")).startsWith("400");
        assertThat(asked("{'query': ' '}")).isEqualTo("400 knowledge.invalid");
        assertThat(asked("{'query': 'x', 'mode': 'psychic'}")).isEqualTo("400 knowledge.invalid");
        assertThat(asked("{'query': 'x', 'limit': 51}")).isEqualTo("400 knowledge.invalid");
        assertThat(asked("{'query': 'x', 'threshold': 2}")).isEqualTo("400 knowledge.invalid");
        assertThat(asked("{'query': 'x', 'filters': {'sourceType': 'book'}}")).isEqualTo("400 knowledge.invalid");
        assertThat(asked("{'query': 'x', 'filters': {'sourceId': 'x'}}")).startsWith("400");
        assertThat(asked("{'query': 'x', 'filters': {'channelId': 'x'}}")).startsWith("400");
        assertThat(asked("{'query': 'x', 'filters': {'channelId': '987654321098765432', 'userId': 5}}"))
                .isEqualTo("200");
        assertThat(asked("{'query': 'x', 'depth': 3}")).startsWith("400");
    }

    @Test
    void tenHitsAreReturnedByDefault() {
        var owner = square.person("Owner");
        var text = new StringBuilder();
        for (int i = 1; i <= 12; i++) {
            text.append("# Part ")
                    .append(i)
                    .append("\\n\\nA walrus on floe ")
                    .append(i)
                    .append(".\\n\\n");
        }
        owner.api().post("/api/v1/knowledge/sources", "{'text': '%s', 'visibility': 'private'}".formatted(text));
        var byDefault = owner.api().post("/api/v1/knowledge/search", "{'query': 'walrus', 'mode': 'keyword'}");
        assertThat(byDefault.json().path("items")).hasSize(10);
        var chosen =
                owner.api().post("/api/v1/knowledge/search", "{'query': 'walrus', 'mode': 'keyword', 'limit': 12}");
        assertThat(chosen.json().path("items")).hasSize(12);
        assertThat(chosen.json().path("searchedFor").isNull()).isTrue();
        var misspelt =
                owner.api().post("/api/v1/knowledge/search", "{'query': 'wallrus on a floe', 'mode': 'keyword'}");
        assertThat(misspelt.text("searchedFor")).isEqualTo("walrus on a floe");
        assertThat(misspelt.json().path("items")).hasSize(10);
    }

    @Test
    void whereNothingFitsNothingIsListed() {
        var owner = square.person("Tenant");
        var lease =
                "# Lease\\n\\n## Animals\\n\\nReptiles and other pets need the consent of the landlord in writing.\\n\\n"
                        + "## Rent\\n\\nThe rent is due on the third working day of the month.";
        var added = owner.api()
                .post("/api/v1/knowledge/sources", "{'text': '%s', 'visibility': 'private'}".formatted(lease));
        var source = "/api/v1/knowledge/sources/" + added.text("id");
        await().atMost(Duration.ofSeconds(60))
                .until(() -> owner.api().get(source).text("status").equals("completed"));
        var snake = owner.api()
                .post("/api/v1/knowledge/search", "{'query': 'Does my landlord have to agree to a pet snake?'}");
        assertThat(snake.json().path("items").path(0).path("label").asString()).contains("Animals");
        for (var mode : SearchMode.values()) {
            var gold = owner.api()
                    .post(
                            "/api/v1/knowledge/search",
                            "{'query': 'what is the price of gold', 'mode': '%s'}".formatted(mode.text()));
            assertThat(gold.json().path("items")).as("%s", mode).isEmpty();
            assertThat(gold.text("why")).as("%s", mode).isNotEmpty();
        }
        assertThat(owner.api()
                        .post("/api/v1/knowledge/search", "{'query': 'what is the price of gold'}")
                        .text("why"))
                .contains("Nothing that you can read fits");
    }

    @Test
    void aStrangerIsRefused() {
        assertThat(square.anonymous()
                        .post("/api/v1/knowledge/search", "{'query': 'x'}")
                        .outcome())
                .startsWith("401");
    }

    private static final String COLLECTIONS = "/api/v1/knowledge/collections";
    private static final String SOURCES = "/api/v1/knowledge/sources";

    private static String collection(Person owner, String visibility) {
        var made = owner.api().post(COLLECTIONS, "{'name': 'Team', 'visibility': '%s'}".formatted(visibility));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        assertThat(made.text("role")).isEqualTo("manager");
        return made.text("id");
    }

    private static String member(String collection, Person person) {
        return COLLECTIONS + "/" + collection + "/members/" + person.id();
    }

    private static String source(Person owner, String collection, String text) {
        var made = owner.api().post(SOURCES, "{'text': '%s', 'collection': '%s'}".formatted(text, collection));
        assertThat(made.outcome()).as(made.body()).isEqualTo("201");
        return made.text("id");
    }

    private static int hits(Person caller, String word, String mode, String filters) {
        var query = "{'query': '%s', 'mode': '%s', 'threshold': -1, 'filters': %s}".formatted(word, mode, filters);
        var reply = caller.api().post("/api/v1/knowledge/search", query);
        assertThat(reply.outcome()).as(reply.body()).isEqualTo("200");
        return (int) reply.json()
                .path("items")
                .valueStream()
                .filter(hit -> hit.path("sourceTitle").asString("").contains(word))
                .count();
    }

    private static void assertReads(Person person, String source, String word, boolean does) {
        assertThat(person.api().get(SOURCES + "/" + source).outcome())
                .isEqualTo(does ? "200" : "404 knowledge.no-source");
        assertThat(person.api().get(SOURCES + "/" + source + "/chunks").status())
                .isEqualTo(does ? 200 : 404);
        assertThat(person.api().get(SOURCES + "/" + source + "/original").outcome())
                .isEqualTo(does ? "404 knowledge.no-original" : "404 knowledge.no-source");
        assertThat(person.api().get(SOURCES + "?limit=100").body().contains(source))
                .isEqualTo(does);
        assertThat(hits(person, word, "keyword", "{}")).isEqualTo(does ? 1 : 0);
        assertThat(hits(person, word, "hybrid", "{}")).isEqualTo(does ? 1 : 0);
        assertThat(hits(person, word, "vector", "{'sourceId': '%s'}".formatted(source)))
                .isEqualTo(does ? 1 : 0);
        assertThat(person.api().get("/api/v1/search?q=" + word).body().contains(source))
                .isEqualTo(does);
        assertThat(person.api()
                        .post("/api/v1/knowledge/ask", "{'question': '%s'}".formatted(word))
                        .body()
                        .contains(source))
                .isEqualTo(does);
    }

    private static void awaitEmbedded(Person owner, String source) {
        await().atMost(Duration.ofSeconds(30))
                .until(() ->
                        owner.api().get(SOURCES + "/" + source).text("status").equals("completed"));
    }

    @Test
    void aSourceInACollectionIsReadByWhomTheCollectionLets() {
        var owner = square.person("Curator");
        var member = square.person("Member");
        var team = collection(owner, "private");
        var source = source(owner, team, "# Quokka\\n\\nQuokkas smile.");
        awaitEmbedded(owner, source);
        assertReads(owner, source, "Quokka", true);
        assertReads(member, source, "Quokka", false);
        assertThat(member.api().get(COLLECTIONS + "/" + team).outcome()).isEqualTo("404 knowledge.no-collection");
        assertThat(owner.api().put(member(team, member), "{'role': 'reader'}").status())
                .isEqualTo(204);
        assertThat(owner.api().get(COLLECTIONS + "/" + team).text("visibility")).isEqualTo("shared");
        assertReads(member, source, "Quokka", true);
        assertThat(member.api().get(COLLECTIONS + "?limit=100").body()).contains(team);
        assertThat(member.api().get(SOURCES + "/" + source).text("visibility")).isEqualTo("shared");
        assertThat(member.api().get(SOURCES + "?collection=" + team).body()).contains(source);
        assertThat(hits(member, "Quokka", "hybrid", "{'collectionId': '%s'}".formatted(team)))
                .isEqualTo(1);
        assertThat(hits(member, "Quokka", "hybrid", "{'collectionId': '%s'}".formatted(member.id())))
                .isZero();
        assertThat(owner.api().delete(member(team, member)).status()).isEqualTo(204);
        assertReads(member, source, "Quokka", false);
        assertThat(member.api().get(SOURCES + "?collection=" + team).json().path("items"))
                .isEmpty();
        owner.api().send("PATCH", COLLECTIONS + "/" + team, "{'visibility': 'public'}");
        assertReads(member, source, "Quokka", true);
        owner.api().send("PATCH", COLLECTIONS + "/" + team, "{'visibility': 'private'}");
        assertReads(member, source, "Quokka", false);
        assertReads(owner, source, "Quokka", true);
    }

    @Test
    void aRoleDecidesWhatAMemberMayDo() {
        var owner = square.person("Roler");
        var member = square.person("Rolee");
        var other = square.person("Outsider");
        var team = collection(owner, "shared");
        var path = COLLECTIONS + "/" + team;
        var source = source(owner, team, "# Numbat\\n\\nNumbats dig.");
        var one = SOURCES + "/" + source;
        var adding = "{'text': 'Numbats eat.', 'collection': '%s'}".formatted(team);
        assertThat(member.api().post(SOURCES, adding).outcome()).isEqualTo("404 knowledge.no-collection");
        owner.api().put(member(team, member), "{'role': 'reader'}");
        assertThat(member.api().post(SOURCES, adding).outcome()).isEqualTo("403 knowledge.collection-role");
        assertThat(member.api().send("PATCH", one, "{'title': 'Mine'}").outcome())
                .isEqualTo("403 knowledge.not-yours");
        assertThat(member.api().delete(one).outcome()).isEqualTo("403 knowledge.not-yours");
        assertThat(member.api().get(path + "/members").outcome()).isEqualTo("403 knowledge.collection-role");
        assertThat(member.api().send("PATCH", path, "{'name': 'Ours'}").outcome())
                .isEqualTo("403 knowledge.collection-role");
        owner.api().put(member(team, member), "{'role': 'editor'}");
        assertThat(member.api().post(SOURCES, adding).outcome()).isEqualTo("201");
        assertThat(member.api().send("PATCH", one, "{'title': 'Numbats'}").outcome())
                .isEqualTo("200");
        assertThat(member.api().put(one, "{'text': 'Numbats dig and eat.'}").outcome())
                .isEqualTo("200");
        assertThat(member.api().put(member(team, other), "{'role': 'reader'}").outcome())
                .isEqualTo("403 knowledge.collection-role");
        assertThat(member.api().get(path + "/members").json().path("items")).hasSize(1);
        owner.api().put(member(team, member), "{'role': 'manager'}");
        assertThat(member.api().put(member(team, other), "{'role': 'reader'}").status())
                .isEqualTo(204);
        assertThat(member.api().put(member(team, owner), "{'role': 'reader'}").outcome())
                .isEqualTo("409 knowledge.owner-role");
        assertThat(member.api().delete(path + "?sources=keep").outcome()).isEqualTo("403 knowledge.collection-role");
        assertThat(other.api().delete(member(team, member)).outcome()).isEqualTo("403 knowledge.collection-role");
        assertThat(other.api().delete(member(team, other)).status()).isEqualTo(204);
        assertThat(other.api().get(path).status()).isEqualTo(404);
        // Taken out by an editor, a source is its owner's alone.
        assertThat(member.api().send("PATCH", one, "{'collection': ''}").outcome())
                .isEqualTo("200");
        assertThat(member.api().get(one).status()).isEqualTo(404);
        assertThat(owner.api().get(one).text("visibility")).isEqualTo("private");
    }

    @Test
    void onlyItsOwnerPutsASourceIntoACollectionAndItIsNotPublicThere() {
        var owner = square.person("Mover");
        var member = square.person("Moved");
        var team = collection(owner, "shared");
        owner.api().put(member(team, member), "{'role': 'editor'}");
        var added = member.api().post(SOURCES, "{'text': '# Bilby\\n\\nBilbies hop.', 'visibility': 'public'}");
        var one = SOURCES + "/" + added.text("id");
        var into = "{'collection': '%s'}".formatted(team);
        assertThat(owner.api().send("PATCH", one, into).outcome()).isEqualTo("403 knowledge.not-yours");
        assertThat(member.api().send("PATCH", one, into).text("visibility")).isEqualTo("shared");
        assertThat(reader.api().get(one).status()).isEqualTo(404);
        assertThat(hits(reader, "Bilby", "keyword", "{}")).isZero();
        assertThat(member.api().send("PATCH", one, "{'visibility': 'public'}").outcome())
                .isEqualTo("409 knowledge.in-collection");
        var elsewhere = collection(member, "private");
        assertThat(member.api()
                        .post(SOURCES, "{'text': '# Bilby\\n\\nBilbies hop.', 'collection': '%s'}".formatted(elsewhere))
                        .outcome())
                .isEqualTo("409 knowledge.in-other-collection");
        assertThat(member.api()
                        .post(SOURCES, "{'text': 'x', 'visibility': 'public', 'collection': '%s'}".formatted(team))
                        .outcome())
                .isEqualTo("400 knowledge.invalid");
        // Whoever was removed may still take out what is theirs, and nothing else.
        owner.api().delete(member(team, member));
        assertThat(member.api().send("PATCH", one, "{'title': 'Changed'}").outcome())
                .isEqualTo("403 knowledge.not-yours");
        assertThat(owner.api().get(one).status()).isEqualTo(200);
        assertThat(member.api().send("PATCH", one, "{'collection': ''}").outcome())
                .isEqualTo("200");
        assertThat(owner.api().get(one).status()).isEqualTo(404);
    }

    @Test
    void aDeletedCollectionDeletesItsSourcesOrGivesThemBack() {
        var owner = square.person("Deleter");
        var kept = collection(owner, "public");
        var source = source(owner, kept, "# Wombat\\n\\nWombats burrow.");
        awaitEmbedded(owner, source);
        var path = COLLECTIONS + "/" + kept;
        assertThat(owner.api().delete(path).outcome()).isEqualTo("400 knowledge.invalid");
        assertThat(reader.api().delete(path + "?sources=keep").outcome()).isEqualTo("403 knowledge.collection-role");
        assertThat(owner.api().delete(path + "?sources=keep").status()).isEqualTo(204);
        assertThat(owner.api().get(path).status()).isEqualTo(404);
        assertReads(owner, source, "Wombat", true);
        assertReads(reader, source, "Wombat", false);
        var gone = collection(owner, "public");
        assertThat(owner.api()
                        .send("PATCH", SOURCES + "/" + source, "{'collection': '%s'}".formatted(gone))
                        .outcome())
                .isEqualTo("200");
        assertReads(reader, source, "Wombat", true);
        assertThat(owner.api()
                        .delete(COLLECTIONS + "/" + gone + "?sources=delete")
                        .status())
                .isEqualTo(204);
        assertThat(owner.api().get(SOURCES + "/" + source).status()).isEqualTo(404);
    }

    @Test
    void whoeverIsRemovedFindsNothingFromThenOnWhileOthersSearch() throws Exception {
        var owner = square.person("Remover");
        var member = square.person("Removed");
        var team = collection(owner, "shared");
        source(owner, team, "# Potoroo\\n\\nPotoroos forage.");
        owner.api().put(member(team, member), "{'role': 'reader'}");
        var removed = new AtomicBoolean();
        try (var pool = Executors.newFixedThreadPool(3)) {
            var searches = IntStream.range(0, 3)
                    .mapToObj(i -> pool.submit(() -> {
                        for (int round = 0; round < 15; round++) {
                            boolean wasRemoved = removed.get();
                            int found = hits(member, "Potoroo", "hybrid", "{}");
                            assertThat(found).as("after its removal").isLessThanOrEqualTo(wasRemoved ? 0 : 1);
                        }
                    }))
                    .toList();
            assertThat(owner.api().delete(member(team, member)).status()).isEqualTo(204);
            removed.set(true);
            for (var search : searches) {
                search.get();
            }
        }
        assertThat(hits(member, "Potoroo", "hybrid", "{}")).isZero();
    }

    private static String resources(ApiClient api) {
        return api.post(
                        "/api/v1/knowledge/search",
                        "{'query': 'frumious', 'mode': 'keyword', 'filters': {'sourceType': 'resource'}}")
                .json()
                .path("items")
                .valueStream()
                .map(hit -> hit.path("sourceTitle").asString())
                .collect(Collectors.joining(","));
    }

    @Test
    void resourcesOfTheInboxAreFoundByThoseWhoHaveAnItemAboutThem() {
        var ann = square.person("Ann");
        var bob = square.person("Bob");
        var admin = square.admin.api();
        admin.put("/api/v1/inbox/resources/issue/k1", "{'title': 'A frumious leak', 'namespace': 'harbour/boat'}");
        var notify = "{'action': 'assigned', 'resourceType': 'issue', 'resource': 'k1', 'user': '%s'}";
        admin.post("/api/v1/inbox/notify", notify.formatted(ann.id()));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(resources(ann.api())).isEqualTo("A frumious leak"));
        assertThat(resources(bob.api())).isEmpty();
        assertThat(resources(admin)).isEmpty();
        var hit = ann.api()
                .post("/api/v1/knowledge/search", "{'query': 'frumious leak'}")
                .json()
                .at("/items/0");
        var source = "/api/v1/knowledge/sources/" + hit.path("sourceId").asString();
        assertThat(ann.api().get(source + "/chunks").body()).contains("harbour/boat");
        assertThat(ann.api().delete(source).outcome()).isEqualTo("403 knowledge.not-yours");
        assertThat(bob.api().get(source).outcome()).isEqualTo("404 knowledge.no-source");
        var limited = square.anonymous()
                .post(
                        "/api/v1/tokens",
                        "{'email': '%s', 'password': '%s', 'name': 'x', 'scopes': ['knowledge:read']}"
                                .formatted(ann.email(), ann.password()));
        assertThat(resources(square.anonymous().token(limited.text("token")))).isEmpty();

        // Who loses access loses the items, and with them the text.
        square.server
                .database()
                .db()
                .useTransaction(
                        tx -> tx.update("DELETE FROM inbox.notifications").execute());
        assertThat(resources(ann.api())).isEmpty();
        admin.post("/api/v1/inbox/notify", notify.formatted(bob.id()));
        assertThat(resources(bob.api())).isEqualTo("A frumious leak");
        assertThat(admin.delete("/api/v1/inbox/resources/issue/k1").outcome()).isEqualTo("204");
        await().atMost(Duration.ofSeconds(30))
                .until(() -> admin.get(source).outcome().equals("404 knowledge.no-source"));
    }
}
