package io.hiroba.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.demo.DemoAct.Follow;
import io.hiroba.demo.DemoAct.Join;
import io.hiroba.demo.DemoAct.Like;
import io.hiroba.demo.DemoAct.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DemoTimelineTest {

    private static final Instant PRESENT = Instant.parse("2026-11-15T06:00:00Z");

    private static List<DemoAct> story(Instant present) {
        return DemoTimeline.of(DemoPeople.read(), present);
    }

    private static <T extends DemoAct> List<T> acts(List<DemoAct> story, Class<T> kind) {
        return story.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    @Test
    void theSamePresentHasTheSamePast() {
        assertThat(story(PRESENT)).isEqualTo(story(PRESENT));
    }

    /** Whatever the time of day at which the demo is started. */
    @ParameterizedTest
    @ValueSource(strings = {"2026-11-15T00:00:01Z", "2026-11-15T11:30:00Z", "2026-03-01T23:59:59Z"})
    void nothingHappensBeforeItsCauseOrAfterThePresent(String moment) {
        var present = Instant.parse(moment);
        var joined = new HashMap<String, Instant>();
        var written = new HashSet<String>();
        var previous = Instant.MIN;
        joined.put(DemoTimeline.ADMIN, present);
        for (var act : story(present)) {
            assertThat(act.at()).isBetween(previous, present);
            previous = act.at();
            switch (act) {
                case Join join -> joined.put(join.person().name(), join.at());
                case DemoAct.Introduce said ->
                    assertThat(joined).containsKey(said.person().name());
                case Follow follow -> assertThat(joined).containsKeys(follow.follower(), follow.followee());
                case Like like -> {
                    assertThat(joined).containsKey(like.by());
                    assertThat(written).contains(like.post());
                }
                case DemoAct.Edit correct ->
                    assertThat(written).contains(correct.entry().name());
                case Write write -> {
                    var entry = write.entry();
                    assertThat(joined).as(entry.content()).containsKey(entry.author());
                    if (entry.replyTo() != null) {
                        assertThat(written).as(entry.content()).contains(entry.replyTo());
                    }
                    written.add(entry.name());
                }
            }
        }
    }

    @Test
    void itIsACommunityOfManyLanguagesAndOverSixWeeks() {
        var story = story(PRESENT);
        var posts = acts(story, Write.class);
        assertThat(acts(story, Join.class)).hasSizeGreaterThanOrEqualTo(40);
        assertThat(posts).hasSizeGreaterThanOrEqualTo(250);
        assertThat(posts)
                .filteredOn(post -> post.entry().content().matches("(?s).*[ぁ-ん].*"))
                .hasSizeGreaterThan(50);
        assertThat(posts.getFirst().at()).isBefore(PRESENT.minus(Duration.ofDays(42)));
        assertThat(posts.getLast().at()).isAfter(PRESENT.minus(Duration.ofHours(2)));
        assertThat(acts(story, Follow.class)).hasSizeBetween(300, 1000);
        assertThat(acts(story, Like.class)).hasSizeBetween(700, 2000);
        assertThat(acts(story, DemoAct.Edit.class)).isNotEmpty();
    }

    @Test
    void someArePopularAndMostAreNot() {
        var likes = acts(story(PRESENT), Like.class).stream()
                .collect(Collectors.groupingBy(Like::post, Collectors.counting()));
        assertThat(likes.values()).anyMatch(count -> count >= 12);
        assertThat(likes.values().stream().filter(count -> count <= 4).count()).isGreaterThan(likes.size() / 2);
    }
}
