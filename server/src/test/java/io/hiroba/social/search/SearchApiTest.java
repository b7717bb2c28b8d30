package io.hiroba.social.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.social.search.SearchServer.Person;
import io.hiroba.testkit.Square;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class SearchApiTest {

    private static final SearchServer server = new SearchServer();
    private static final Person ann = server.person("Ann");
    private static final Person bob = server.person("Bob Lee");

    @AfterAll
    static void close() {
        server.close();
    }

    @Test
    void aPostIsFoundWithinSecondsAndEditsAndDeletesFollow() {
        var post = ann.post("I was running through a quincunx");
        ann.finds("quincunx", post);
        ann.finds("run quincunxes", post);
        ann.edit(post, "I was walking through a dodecahedron");
        ann.finds("dodecahedron", post);
        assertThat(ann.find("quincunx")).isEmpty();
        ann.delete(post);
        assertThat(ann.find("dodecahedron")).isEmpty();
    }

    @Test
    void aReplyIsFoundToo() {
        var root = ann.post("zugzwang opens");
        var reply = bob.api().post("/api/v1/posts", "{'content':'zugzwang answered','replyTo':'%s'}".formatted(root));
        ann.finds("zugzwang", root, reply.text("id"));
    }

    @Test
    void japaneseChineseAndKoreanAreFoundByAnyPartOfAWord() {
        var japanese = ann.post("昨日、東京都庁の展望台へ行きました。データベースの本も買った。");
        var chinese = ann.post("我们用数据库保存消息");
        var korean = ann.post("오늘 한국어를 공부했다");
        ann.finds("東京都庁", japanese);
        ann.finds("ﾃﾞｰﾀﾍﾞｰｽ 展望", japanese);
        ann.finds("\"の展望台\"", japanese);
        ann.finds("数据库", chinese);
        ann.finds("한국", korean);
        ann.finds("買", japanese);
        assertThat(ann.find("京東")).isEmpty();
        assertThat(ann.find("\"東京展望\"")).isEmpty();
    }

    @Test
    void charactersAreFoundInAllTheirForms() {
        var traditional = ann.post("圖書館旁邊的書店");
        var kana = ann.post("山でタヌキを見た");
        ann.finds("书店", traditional);
        ann.finds("图书馆", traditional);
        ann.finds("たぬき", kana);
        ann.finds("タヌキ", kana);
        assertThat(ann.find("\"たぬき\""))
                .as("in quotes it is meant as it is written")
                .isEmpty();
    }

    @Test
    void phrasesKeepTheirOrderAndExclusionsLeaveOut() {
        var one = ann.post("the amber lantern hangs high");
        var two = ann.post("a lantern of amber hangs low");
        ann.finds("amber lantern", one, two);
        ann.finds("\"amber lantern\"", one);
        ann.finds("“amber lantern”", one);
        ann.finds("amber -low", one);
        ann.finds("amber -\"amber lantern\"", two);
        ann.finds("amber -\"lantern amber\"", one, two);
    }

    @Test
    void tagsAndAuthorsNarrowTheSearch() {
        var tagged = ann.post("obsidian knife", "Geology", "rocks");
        var plain = bob.post("obsidian mirror");
        ann.finds("obsidian", tagged, plain);
        ann.finds("obsidian tag:geology", tagged);
        ann.finds("tag:#ROCKS obsidian", tagged);
        ann.finds("obsidian -tag:rocks", plain);
        ann.finds("obsidian from:ann", tagged);
        ann.finds("obsidian from:\"bob lee\"", plain);
        ann.finds("from:" + bob.id() + " obsidian", plain);
        ann.finds("obsidian from:ann from:\"Bob Lee\"", tagged, plain);
        ann.finds("tag:geology", tagged);
        ann.finds("geology obsidian", tagged);
        assertThat(ann.find("obsidian from:nobody")).isEmpty();
        assertThat(ann.find("obsidian tag:geolog")).isEmpty();
    }

    @Test
    void aQueryThatAsksForNothingSaysWhatToDo() {
        for (var query :
                List.of("", " ", "!!!", "-word", "-\"a phrase\" -x", "\"\"", "x".repeat(201), "a ".repeat(50))) {
            var reply = ann.search(query, "");
            assertThat(reply.outcome()).as(query).isEqualTo("400 social.bad-query");
            assertThat(reply.text("detail")).containsAnyOf("to search for", "at most");
        }
        assertThat(ann.api().get("/api/v1/posts/search").outcome()).isEqualTo("400 social.bad-query");
        assertThat(ann.search("word", "&limit=101").outcome()).isEqualTo("400 http.invalid");
        assertThat(ann.search("word", "&after=x").outcome()).isEqualTo("400 http.bad-cursor");
    }

    @Test
    void hostileQueriesAreWordsLikeAnyOther() {
        var post = ann.post("it's a back\\slash & an 'apostrophe' | 100% <-> vermilion:* 🍣");
        ann.finds("vermilion", post);
        for (var query : List.of(
                "vermilion:*",
                "vermilion & | ! ( )",
                "'vermilion'",
                "vermilion\\",
                "vermilion''",
                "\"vermilion",
                "vermilion <-> ",
                "it's vermilion",
                "vermilion 🍣",
                "tag: vermilion",
                "from: vermilion -",
                "🍣 vermilion -')::tsquery;DROP",
                "ＶＥＲＭＩＬＩＯＮ")) {
            if (query.startsWith("tag:") || query.startsWith("from:")) {
                assertThat(ann.find(query)).as(query).isEmpty();
            } else {
                assertThat(ann.find(query)).as(query).containsExactly(post);
            }
        }
        assertThat(ann.api().get("/api/v1/posts/search?q=a%00b").outcome()).isEqualTo("400 http.bad-text");
        assertThat(ann.api().get("/api/v1/posts/search?q=vermilion%ED%A0%80").status())
                .isIn(200, 400);
        assertThat(ann.search("y".repeat(5_000), "").outcome()).isEqualTo("400 social.bad-query");
    }

    @Test
    void blocksHideInBothDirectionsAndOnlySignedInPeopleSearch() {
        var blocked = server.person("Blocked");
        var post = blocked.post("cerulean secret");
        var mine = bob.post("cerulean sky");
        ann.finds("cerulean", post, mine);
        assertThat(bob.api()
                        .post("/api/v1/users/" + blocked.id() + "/block", "")
                        .status())
                .isLessThan(300);
        bob.finds("cerulean", mine);
        blocked.finds("cerulean", post);
        ann.finds("cerulean", post, mine);
        assertThat(server.anonymous().get("/api/v1/posts/search?q=cerulean").outcome())
                .isEqualTo("401 accounts.not-signed-in");
    }

    @Test
    void pagesHoldEverythingOnceWhileNewPostsArrive() {
        var expected = new ArrayList<String>();
        for (int i = 0; i < 25; i++) {
            expected.add(ann.post("periwinkle ".repeat(1 + i % 4) + i));
        }
        ann.finds("periwinkle 24", expected.get(24));
        await().until(() -> all("periwinkle", 7).size() == 25);
        var seen = new ArrayList<String>();
        var after = "";
        do {
            var reply = ann.search("periwinkle", "&limit=7" + after);
            seen.addAll(SearchServer.ids(reply));
            after = reply.text("next").isEmpty() ? "" : "&after=" + reply.text("next");
            assertThat(reply.json().path("allRanked").asBoolean()).isTrue();
            var late = ann.post("periwinkle late " + seen.size());
            ann.finds("periwinkle late " + seen.size(), late);
        } while (!after.isEmpty());
        assertThat(seen).containsExactlyInAnyOrderElementsOf(expected);
    }

    private static List<String> all(String query, int limit) {
        var seen = new ArrayList<String>();
        var after = "";
        do {
            var reply = ann.search(query, "&limit=" + limit + after);
            seen.addAll(SearchServer.ids(reply));
            after = reply.text("next").isEmpty() ? "" : "&after=" + reply.text("next");
        } while (!after.isEmpty());
        return seen;
    }

    @Test
    void aCursorIsOfOneSearchOnly() {
        var first = ann.post("tangerine one");
        var second = ann.post("tangerine two");
        ann.finds("tangerine", first, second);
        var next = ann.search("tangerine", "&limit=1").text("next");
        assertThat(ann.search("tangerine", "&limit=1&after=" + next).outcome()).isEqualTo("200");
        assertThat(ann.search("other", "&limit=1&after=" + next).outcome()).isEqualTo("400 http.bad-cursor");
    }

    @Test
    void anItemIsACardWithThePassageThatMatches() {
        var post = ann.post("# Ship's log\n\nThe **heliotrope** <b>bloomed</b> again", "flowers");
        ann.finds("heliotropes", post);
        var item = ann.search("heliotropes", "").json().path("items").path(0);
        assertThat(item.path("ownedBy").path("nickname").asString()).isEqualTo("Ann");
        assertThat(item.path("tags").path(0).asString()).isEqualTo("flowers");
        assertThat(item.path("snippet").isArray()).isTrue();
        assertThat(item.path("highlight").toString()).isEqualTo("""
                        [{"text":"Ship's log The ","hit":false},{"text":"heliotrope","hit":true},\
                        {"text":" <b>bloomed</b> again","hit":false}]""");
    }

    @Test
    void whatATagOrTheTitleSaysComesFirstAmongPostsOfOneDay() {
        var inTag = ann.post("a colour", "saffron");
        var inTitle = ann.post("# saffron\n\nis a colour");
        var inText = ann.post("a colour\n\nis saffron too");
        await().atMost(Duration.ofSeconds(15))
                .untilAsserted(() -> assertThat(ann.find("saffron")).containsExactly(inTag, inTitle, inText));
    }

    @Test
    void anAdminsVeryLongTextIsFoundByItsLastWords() {
        var admin = server.admin();
        var post = admin.post("あいうえおかきくけこ".repeat(6_500) + " the very last ultramarine");
        ann.finds("\"very last ultramarine\"", post);
        var highlight =
                ann.search("ultramarine", "").json().path("items").path(0).path("highlight");
        assertThat(highlight.isArray()).isTrue();
    }

    @Test
    void theWordsOfADeletedAccountAreGone() {
        var leaver = server.person("Leaver");
        ann.finds("chartreuse", leaver.post("chartreuse farewell"));
        assertThat(leaver.api()
                        .send("DELETE", "/api/v1/users/" + leaver.id(), "{'password':'%s'}".formatted(Square.PASSWORD))
                        .status())
                .isEqualTo(204);
        assertThat(ann.find("chartreuse")).isEmpty();
    }

    @Test
    void partsOfWordsAreFoundBehindWholeWords() {
        var ann = server.person("Parter");
        var longer = ann.post(
                "Crossing quibblestone by ship, build v7.8.9, code QRR-421, readFileNow, ann@parterre.example");
        var whole = ann.post("A quibble is a quibble");
        ann.finds("quibble", longer, whole);
        assertThat(ann.find("quibble")).containsExactly(whole, longer);
        for (var part : List.of("blesto", "QUIBBLEST", "7.8.9", "v7.8", "QRR-42", "filenow", "ann@parter")) {
            ann.finds(part, longer);
        }
        ann.finds("quibblesto \"is a\"");
        ann.finds("\"quibblesto\"");
        ann.finds("quibblesto -ship");
        ann.finds("quibblesto from:nobody-like-it");
        var page = ann.search("quibble", "&limit=1");
        assertThat(SearchServer.ids(page)).containsExactly(whole);
        var next = ann.search("quibble", "&limit=1&after=" + page.text("next"));
        assertThat(SearchServer.ids(next)).containsExactly(longer);
        assertThat(next.json().path("items").path(0).path("highlight").toString())
                .contains("{\"text\":\"quibblestone\",\"hit\":true}");
        assertThat(next.json().path("next").isNull()).isTrue();
    }
}
