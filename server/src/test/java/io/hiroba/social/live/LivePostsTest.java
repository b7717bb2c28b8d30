package io.hiroba.social.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.social.PostId;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestSocial;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LivePostsTest {

    private static final PostId START = new PostId(0);

    private final TestSocial social = new TestSocial();
    private final LivePosts live = new LivePosts(social.db, Clock.systemUTC());

    @AfterEach
    void stop() {
        live.close();
        social.close();
    }

    @Test
    void everybodyIsToldOnceOfEachNewRootButNotOfTheirOwn() {
        var ann = social.person("Ann");
        var ben = social.person("Ben");
        var toAnn = listen(ann, LiveList.NEWEST, START);
        var toBen = listen(ben, LiveList.NEWEST, START);
        var news = social.post(ann, "News");
        social.reply(ben, news, "An answer is no root");
        var more = social.post(ann, "More");

        awaitTold(toBen, news, more);
        live.look();
        live.look();
        assertThat(toBen).containsExactly(news, more);
        assertThat(toAnn).isEmpty();
    }

    @Test
    void aHomeIsToldOfThoseWhoAreFollowed() {
        var ann = social.person("Ann");
        var ben = social.person("Ben");
        var reader = social.person("Reader");
        social.follows.follow(reader, ann.user());
        social.settle();
        var told = listen(reader, LiveList.HOME, START);
        social.post(ben, "Elsewhere");
        var news = social.post(ann, "News");

        awaitTold(told, news);
        live.look();
        assertThat(told).containsExactly(news);
    }

    @Test
    void nobodyIsToldOfThoseFromWhomABlockSeparatesThem() {
        var pest = social.person("Pest");
        var blocker = social.person("Blocker");
        var bystander = social.person("Bystander");
        social.follows.block(blocker, pest.user());
        var toBlocker = listen(blocker, LiveList.NEWEST, START);
        var toPest = listen(pest, LiveList.NEWEST, START);
        var toBystander = listen(bystander, LiveList.NEWEST, START);
        var spam = social.post(pest, "Spam");
        var calm = social.post(blocker, "Calm");

        awaitTold(toBystander, spam, calm);
        live.look();
        assertThat(toBlocker).isEmpty();
        assertThat(toPest).isEmpty();
    }

    @Test
    void whatBecameVisibleLateIsToldToOneWhoKnowsANewerPostAlready() {
        var ann = social.person("Ann");
        var ben = social.person("Ben");
        social.follows.follow(ben, ann.user());
        social.settle();
        var late = social.post(ann, "Late");
        var known = social.post(ann, "Known");
        social.settle();
        for (var list : LiveList.values()) {
            assertThat(listen(ben, list, known)).as(list.name()).containsExactly(late, known);
        }
    }

    @Test
    void whoComesBackIsToldWhatCameMeanwhileThoughItIsLongAgo() {
        var ann = social.person("Ann");
        var ben = social.person("Ben");
        social.follows.follow(ben, ann.user());
        var seen = social.post(ann, "Seen");
        var missed = social.post(ann, "Missed");
        social.settle();
        var clock = new SettableClock(Instant.now().plus(Duration.ofHours(1)));
        try (var later = new LivePosts(social.db, clock)) {
            for (var list : LiveList.values()) {
                var told = new CopyOnWriteArrayList<PostId>();
                later.listen(ben.user(), list, seen, told::add);
                assertThat(told).as(list.name()).containsExactly(missed);
            }
        }
    }

    @Test
    void whoDoesNotSayWhereTheyStandIsToldWhatBecomesVisibleFromNowOn() {
        var ann = social.person("Ann");
        var ben = social.person("Ben");
        social.follows.follow(ben, ann.user());
        social.settle();
        social.post(ann, "Before");
        social.settle();
        for (var list : LiveList.values()) {
            var told = new CopyOnWriteArrayList<PostId>();
            var end = live.listen(ben.user(), list, told::add);
            live.look();
            assertThat(told).as(list.name()).isEmpty();
            var news = social.post(ann, "News");
            awaitTold(told, news);
            end.run();
        }
    }

    @Test
    void whoHasLeftIsToldNothingMore() {
        var ann = social.person("Ann");
        var told = new CopyOnWriteArrayList<PostId>();
        live.listen(social.person("Ben").user(), LiveList.NEWEST, START, told::add)
                .run();
        social.post(ann, "News");
        live.look();
        assertThat(told).isEmpty();
    }

    private List<PostId> listen(Caller reader, LiveList list, PostId after) {
        var told = new CopyOnWriteArrayList<PostId>();
        live.listen(reader.user(), list, after, told::add);
        return told;
    }

    private static void awaitTold(List<PostId> told, PostId... posts) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(told).containsExactly(posts));
    }
}
