package io.hiroba.social.pages;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.i18n.Language;
import io.hiroba.testkit.Square.Person;
import java.util.List;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The pages in each language, as the server sends them. */
class LanguagesTest extends SocialPagesTest {

    private static Document in(Language language, Person reader, String path) {
        var answer = reader.api().with("Accept-Language", language.tag()).get(path);
        return Jsoup.parse(answer.body());
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void everyPageIsInTheLanguageOfItsReader(Language language) {
        var reader = square.person("Reader");
        var other = square.person("Other");
        other.follow(reader);
        var post = other.post("A post");
        for (var path : List.of(
                "/",
                "/newest",
                "/tags/none",
                "/search",
                "/search?q=nothing-like-it",
                "/search?tab=posts&q=-x",
                "/posts/" + post,
                "/posts/" + post + "/likers",
                "/posts/" + reader.post("Own") + "/edit",
                "/users/" + reader.id(),
                "/users/" + other.id(),
                "/users/" + other.id() + "/following")) {
            var page = in(language, reader, path);
            assertThat(page.select("html").attr("lang")).as(path).isEqualTo(language.tag());
            assertThat(page.select("main").text()).as(path).isNotBlank().doesNotContain("{", "}");
        }
    }

    @Test
    void sentencesWithNamesAndNumbersFollowTheLanguage() {
        var reader = square.person("Reader");
        var other = square.person("花子");
        reader.follow(other);
        var path = "/users/" + other.id();
        assertThat(in(Language.ENGLISH, reader, path).select(".counts").text())
                .isEqualTo("0 posts 1 follower 0 following");
        assertThat(in(Language.JAPANESE, reader, path).select(".counts").text()).isEqualTo("投稿0件 フォロワー1人 フォロー中0人");
        assertThat(in(Language.CHINESE, reader, path).select(".counts").text()).isEqualTo("0 条帖子 1 位关注者 正在关注 0 人");
        assertThat(in(Language.JAPANESE, reader, "/search?tab=posts&q=-x")
                        .select("#q-error")
                        .text())
                .startsWith("除外する語のほかに");
    }
}
