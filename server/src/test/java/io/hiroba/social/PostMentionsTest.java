package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.ApiClient;
import io.hiroba.testkit.Square;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class PostMentionsTest {

    private static final Square square = new Square();

    @AfterAll
    static void close() {
        square.close();
    }

    private static List<String> mentionedIn(String post) {
        return square.server
                .database()
                .db()
                .read(reads ->
                        reads.query("""
                        SELECT payload ->> 'mentionedUserId' FROM platform.event_logs
                        WHERE payload ->> 'postId' = :post AND payload ->> 'type' = 'mention' ORDER BY event_id
                        """).bind("post", post).mapTo(String.class).list());
    }

    @Test
    void aNicknameAndAnIdMeanSomebody() {
        var yuki = square.person("雪Yuki");
        var space = square.person("Two Words");
        var author = square.person("Author1");
        var post = author.post("Hello @雪yuki, and @%s. Not a/@雪yuki, not `@雪yuki`.".formatted(space.id()));
        var html = author.api().get("/api/v1/posts/" + post).text("html");
        assertThat(html)
                .startsWith("<p>Hello <a href=\"/users/%s\"".formatted(yuki.id()))
                .contains(">@雪yuki</a>, and <a href=\"/users/%s\"".formatted(space.id()))
                .contains("Not a/@雪yuki, not <code>@雪yuki</code>");
        assertThat(mentionedIn(post)).containsExactlyInAnyOrder(yuki.id(), space.id());
    }

    @Test
    void aFullWidthSignMentionsToo() {
        var ichiro = square.person("一郎");
        var author = square.person("Author8");
        var post = author.post("昨日＠一郎さんと、not ann＠一郎＠example");
        assertThat(author.api().get("/api/v1/posts/" + post).text("html"))
                .startsWith("<p>昨日<a href=\"/users/%s\"".formatted(ichiro.id()))
                .endsWith(">＠一郎</a>さんと、not ann＠一郎＠example</p>");
        assertThat(mentionedIn(post)).containsExactly(ichiro.id());
    }

    private static List<String> tagsOf(ApiClient.Reply reply) {
        assertThat(reply.status()).as(reply.body()).isBetween(200, 201);
        return reply.json().path("tags").valueStream().map(JsonNode::asString).toList();
    }

    @Test
    void hashtagsInTheTextAreTagsOfThePost() {
        var ann = square.person("Tagger").api();
        var post = ann.post("/api/v1/posts", Json.text(Map.of("content", """
                        # No tag

                        #Tea and ＃お茶. Also #c++, #v1.2-beta! Not #1, a#b, `#code`, [#link](https://a.example/#part) &#x;""", "tags", List.of("typed"))));
        assertThat(tagsOf(post)).containsExactlyInAnyOrder("typed", "tea", "お茶", "c++", "v1.2-beta");
        assertThat(post.text("html"))
                .contains("<a href=\"/tags/tea\" rel=\"nofollow ugc noopener\">#Tea</a>")
                .contains("<a href=\"/tags/%E3%81%8A%E8%8C%B6\"", "<code>#code</code>");
        assertThat(ann.get("/api/v1/posts?tag=tea").body()).contains(post.text("id"));

        var joined = ann.post("/api/v1/posts", "{'content':'#ab#cd and #ef# but #gh, #ij'}");
        assertThat(tagsOf(joined)).containsExactlyInAnyOrder("gh", "ij");
        assertThat(joined.text("html")).contains("<p>#ab#cd and #ef# but <a");

        var many = ann.post("/api/v1/posts", "{'content':'#a #b #c #d #e #f','tags':['z']}");
        assertThat(tagsOf(many)).containsExactlyInAnyOrder("z", "a", "b", "c", "d");

        var edited = ann.put(
                "/api/v1/posts/" + post.text("id"),
                "{'content':'Only #coffee','tags':[],'allowLikes':true,'allowReplies':true}");
        assertThat(tagsOf(edited)).containsExactly("coffee");
        assertThat(ann.get("/api/v1/posts?tag=tea").body()).doesNotContain(post.text("id"));
    }

    @Test
    void aBackslashKeepsANameFromBeingAMention() {
        square.person("Escaped");
        var author = square.person("Author5");
        var post = author.post("Write \\@escaped to name them, and *\\@escaped*.");
        assertThat(mentionedIn(post)).isEmpty();
        assertThat(author.api().get("/api/v1/posts/" + post).text("html"))
                .contains("Write @escaped to name them, and <em>@escaped</em>");
    }

    /** Letters, marks, digits and emoji; the case of İ and of a final Σ is one of its own. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "田中花子",
                "王小明",
                "マリー・キュリー",
                "محمد",
                "علی\u200Cرضا",
                "Søren_Ångström",
                "İbrahim",
                "ΝΙΚΟΣ",
                "สมชาย",
                "🎉party",
                "👩\u200D💻dev",
                "김민준"
            })
    void anybodyIsMentionedByANameWithoutSpaces(String nickname) {
        var person = account(nickname);
        var author = square.admin;
        var post = author.post("(@%s) @%s.".formatted(nickname, nickname.toLowerCase(Locale.ROOT)));
        assertThat(mentionedIn(post)).containsExactly(person);
        var html = author.api().get("/api/v1/posts/" + post).text("html");
        var link = "<a href=\"/users/%s\"".formatted(person);
        assertThat(html).contains("(" + link, ">@" + nickname + "</a>)");
        assertThat(author.api().with("Accept", "text/html").get("/users/" + person))
                .satisfies(page -> assertThat(page.outcome()).isEqualTo("200"))
                .satisfies(page -> assertThat(page.body()).contains(nickname));
        assertThat(author.api()
                        .get("/api/v1/users/friends?nicknamePrefix=" + encoded(nickname))
                        .body())
                .contains(person);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Test
    void aNameEndsWhereAnotherScriptBegins() {
        var latin = account("hanako7");
        var han = account("雪村");
        var kana = account("さくら");
        var post = square.admin.post("ありがとう@hanako7さん、昨日は@雪村さんと@さくら先生に。@hanako7🎉 mail@hanako7 @hanako7x");
        assertThat(mentionedIn(post)).containsExactlyInAnyOrder(latin, han, kana);
        assertThat(square.admin.api().get("/api/v1/posts/" + post).text("html"))
                .contains(
                        ">@hanako7</a>さん、昨日は<a ",
                        ">@雪村</a>さんと<a ",
                        ">@さくら</a>先生に。<a ",
                        ">@hanako7</a>🎉 mail@hanako7 @hanako7x");
    }

    @Test
    void aNameThatTheTextGoesOnBehindWithoutASpaceIsTheLongestThatSomebodyHas() {
        var kana = account("しおん");
        var longer = account("しおんぬ");
        var latin = account("almanac8");
        var korean = account("박서연");
        var post = square.admin.post("@しおんさん、こんにちは。@しおんに聞きたい。@しおんぬちゃん！ @almanac8에게 @박서연님, @しお");
        assertThat(mentionedIn(post)).containsExactlyInAnyOrder(kana, longer, latin, korean);
        var html = square.admin.api().get("/api/v1/posts/" + post).text("html");
        assertThat(html)
                .contains(
                        ">@しおん</a>さん、こんにちは。<a ",
                        ">@しおん</a>に聞きたい。<a ",
                        ">@しおんぬ</a>ちゃん！ <a ",
                        ">@almanac8</a>에게 <a ",
                        ">@박서연</a>님, @しお<");
        account("ma");
        account("マリ");
        assertThat(mentionedIn(square.admin.post("@marx and @マリー")))
                .as("words with spaces and long vowels are not cut")
                .isEmpty();
    }

    @Test
    void theLongestNameAtAPlaceIsTheOneThatIsMeant() {
        account("ken9");
        var whole = account("ken9さん");
        assertThat(mentionedIn(square.admin.post("@ken9さん!"))).containsExactly(whole);

        var ren = account("ren9");
        var post = square.admin.post("@ren9さん!");
        account("ren9さん");
        square.admin
                .api()
                .put(
                        "/api/v1/posts/" + post,
                        "{'content':'@ren9さん!!','tags':[],'allowLikes':true,'allowReplies':true}");
        assertThat(mentionedIn(post))
                .as("a name keeps its meaning when the post is edited")
                .containsExactly(ren);
    }

    @Test
    void anIdIsReadAsTheNickname() {
        var post = square.admin.post("Hello @" + account("田中 太郎 <b>"));
        var shown = ">@田中 太郎 &lt;b&gt;</a>";
        assertThat(square.admin.api().get("/api/v1/posts/" + post).text("html")).contains(shown);
        assertThat(square.admin.api().with("Accept", "text/html").get("/newest").body())
                .contains(shown);
    }

    /** Somebody who does not sign in, as only so many may in an hour. */
    private static String account(String nickname) {
        var body = Map.of(
                "email", UUID.randomUUID() + "@square.example", "nickname", nickname, "password", Square.PASSWORD);
        return square.admin.api().post("/api/v1/users", Json.text(body)).text("id");
    }

    @Test
    void aNicknameOfSeveralMeansTheOneThatIsFollowed() {
        var one = square.person("Twin");
        square.person("twin");
        var author = square.person("Author2");
        assertThat(mentionedIn(author.post("@twin?"))).isEmpty();
        author.follow(one);
        assertThat(mentionedIn(author.post("@twin!"))).containsExactly(one.id());
        assertThat(mentionedIn(author.post("@nobody-of-that-name"))).isEmpty();
    }

    @Test
    void onlyTheNewlyMentionedAreNotifiedOfAnEdit() {
        var first = square.person("First");
        var second = square.person("Second");
        var author = square.person("Author3");
        var post = author.post("@first");
        author.api()
                .put(
                        "/api/v1/posts/" + post,
                        "{'content':'@first and @second','tags':[],'allowLikes':true,'allowReplies':true}");
        assertThat(mentionedIn(post)).containsExactly(first.id(), second.id());
        assertThat(author.api().get("/api/v1/posts/" + post).text("html"))
                .contains("/users/" + first.id(), "/users/" + second.id());
    }

    @Test
    void aLinkWrittenByHandLeadsToNobody() {
        var author = square.person("Author4");
        var post = author.post("[me](/users/%s) [js](javascript:alert(1))".formatted(author.id()));
        assertThat(author.api().get("/api/v1/posts/" + post).text("html")).doesNotContain("href");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\#word", "see *\\#word*", "\\##word", "&#35;word", "&num;word"})
    void aBackslashOrAReferenceKeepsAWordFromBeingATag(String content) {
        var post = square.admin.api().post("/api/v1/posts", Json.text(Map.of("content", content)));
        assertThat(tagsOf(post)).isEmpty();
        assertThat(post.text("html")).contains("#word").doesNotContain("/tags/");
    }

    @ParameterizedTest
    @ValueSource(strings = {"علی\u200Cرضا", "👩\u200D💻", "👍🏽", "👩🏽\u200D💻dev"})
    void aTagInATextHasItsJoinersAndSkinTones(String name) {
        var post = square.admin
                .api()
                .post("/api/v1/posts", Json.text(Map.of("content", "It is #" + name + "\u200D, yes")));
        assertThat(tagsOf(post)).containsExactly(name);
        assertThat(post.text("html")).contains(">#" + name + "</a>");
    }

    @Test
    void whoIsBlockedIsNoNamesakeOfWhoIsMentioned() {
        var author = square.person("Author9");
        var meant = square.person("Twin9");
        var impostor = square.person("Twin9");
        assertThat(mentionedIn(author.post("Hi @Twin9"))).isEmpty();
        author.block(impostor);
        assertThat(mentionedIn(author.post("Hi @Twin9"))).containsExactly(meant.id());
        assertThat(mentionedIn(author.post("Hi @" + impostor.id()))).isEmpty();
    }
}
