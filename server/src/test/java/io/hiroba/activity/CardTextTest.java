package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.markdown.Markdown;
import io.hiroba.social.Author;
import io.hiroba.social.PostId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CardTextTest {

    private static final PostId POST = new PostId(7);

    @Test
    void theNewestThreeAreNamedAndTheRestCounted() {
        assertThat(follow(1, "Alice")).isEqualTo("Alice followed you");
        assertThat(follow(2, "Alice", "Bob")).isEqualTo("Alice and Bob followed you");
        assertThat(follow(3, "Alice", "Bob", "Carol")).isEqualTo("Alice, Bob and Carol followed you");
        assertThat(follow(4, "Alice", "Bob", "Carol", "Dan")).isEqualTo("Alice, Bob, Carol and 1 other followed you");
        assertThat(follow(18, "Alice", "Bob", "Carol", "Dan"))
                .isEqualTo("Alice, Bob, Carol and 15 others followed you");
        assertThat(follow(100_003, "Alice", "Bob", "Carol"))
                .isEqualTo("Alice, Bob, Carol and 100,000 others followed you");
    }

    @Test
    void whoDidItTwiceIsNamedOnce() {
        assertThat(sentence(NotificationKind.REPLY, replied(true, "Good morning"), 2, "Alice", "Bob", "Alice"))
                .isEqualTo("Alice and Bob replied to your post: “Good morning”");
    }

    @Test
    void thoseWhoAreGoneAreCountedStill() {
        assertThat(follow(3, "Alice")).isEqualTo("Alice and 2 others followed you");
        assertThat(follow(1)).isEqualTo("Somebody followed you");
        assertThat(follow(2)).isEqualTo("2 people followed you");
    }

    @Test
    void eachKindHasItsWords() {
        assertThat(sentence(NotificationKind.LIKE, post(true, "Good *morning*"), 1, "Alice"))
                .isEqualTo("Alice liked your post “Good morning”");
        assertThat(sentence(NotificationKind.REPLY, replied(false, "I *agree*"), 1, "Alice"))
                .isEqualTo("Alice replied to a post you follow: “I agree”");
        assertThat(sentence(NotificationKind.MENTION, post(false, "Ask @Zoe"), 1, "Alice"))
                .isEqualTo("Alice mentioned you in “Ask @Zoe”");
    }

    @Test
    void aPostThatIsGoneOrHasNoWordsIsNotQuoted() {
        assertThat(sentence(NotificationKind.LIKE, null, 1, "Alice")).isEqualTo("Alice liked your post");
        assertThat(sentence(NotificationKind.MENTION, null, 1, "Alice")).isEqualTo("Alice mentioned you");
        assertThat(sentence(NotificationKind.LIKE, post(true, "![](/images/1)"), 1, "Alice"))
                .isEqualTo("Alice liked your post");
    }

    @ParameterizedTest
    @CsvSource({
        "JAPANESE, Aliceさん、Bobさん、Carolさん、ほか15人があなたの投稿「Good morning」にいいねしました",
        "CHINESE, Alice、Bob、Carol 和另外 15 人 赞了你的帖子“Good morning”"
    })
    void aSentenceHasTheOrderOfItsLanguage(Language language, String sentence) {
        var text = text(NotificationKind.LIKE, post(true, "Good morning"), 18, "Alice", "Bob", "Carol");
        assertThat(text.in(language)).isEqualTo(sentence);
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    void everySentenceIsThereInEveryLanguage(Language language) {
        for (var kind : NotificationKind.values()) {
            for (var post : Arrays.asList(null, post(true, "Hi"), post(false, "Hi"), post(true, "![](/images/1)"))) {
                var about = kind == NotificationKind.FOLLOW ? null : post;
                for (int names = 0; names <= 3; names++) {
                    var people = List.of("A", "B", "C").subList(0, names).toArray(String[]::new);
                    assertThat(text(kind, about, names, people).in(language)).doesNotContain("{");
                    assertThat(text(kind, about, names + 1, people).in(language))
                            .doesNotContain("{");
                }
            }
        }
    }

    private static String follow(int count, String... names) {
        return sentence(NotificationKind.FOLLOW, null, count, names);
    }

    private static Card.Post post(boolean mine, String markdown) {
        return new Card.Post(POST, Markdown.parse(markdown).snippet().json(), mine, null);
    }

    private static Card.Post replied(boolean mine, String reply) {
        return new Card.Post(POST, "[]", mine, Markdown.parse(reply).snippet().json());
    }

    private static String sentence(NotificationKind kind, Card.@Nullable Post post, int count, String... names) {
        return text(kind, post, count, names).toString();
    }

    private static Text text(NotificationKind kind, Card.@Nullable Post post, int count, String... names) {
        var slot = kind == NotificationKind.FOLLOW ? Slot.FOLLOW : Slot.of(kind, POST);
        var distinct = Arrays.stream(names).distinct().toList();
        List<Card.Act> acts = new ArrayList<>();
        for (var name : names) {
            acts.add(new Card.Act(
                    Instant.EPOCH, new Author(new UserId(distinct.indexOf(name)), name, null, false), null));
        }
        return CardText.of(new Card(slot, "2026-11-15", false, Instant.EPOCH, Instant.EPOCH, count, null, post, acts))
                .sentence();
    }
}
