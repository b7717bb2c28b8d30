package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.social.LivePosts.LivePostList;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestSocial;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LivePostsTest {

    private static final PostId START = new PostId(0);

    private final TestSocial social = new TestSocial();
    private final LivePosts live = new LivePosts(social.db, Clock.systemUTC());
    private final WorkLoop loop = live.start();

    @BeforeEach
    void clear() {
        social.settle();
        social.db.useTransaction(tx -> {
            tx.update("DELETE FROM social.posts").execute();
            tx.update("DELETE FROM social.timelines").execute();
        });
    }

    @AfterAll
    void stop() {
        loop.close();
        social.close();
    }

    @Test
    void everybodyGetsEachNewRootPostOnceButNotTheirOwn() {
        var ann = social.person("Ann");
        var ben = social.person("Ben");
        var toAnn = listen(ann, LivePostList.NEWEST, START);
        var toBen = listen(ben, LivePostList.NEWEST, START);
        var news = social.post(ann, "News");
        social.reply(ben, news, "An answer is no root");
        var more = social.post(ann, "More");

        awaitReceived(toBen, news, more);
        live.poll();
        live.poll();
        assertThat(toBen).containsExactly(news, more);
        assertThat(toAnn).isEmpty();
    }

    @Test
    void theHomeListGetsThePostsOfFollowees() {
        var ann = social.person("Ann");
        var ben = social.person("Ben");
        var reader = social.person("Reader");
        social.follows.follow(reader, ann.user());
        social.settle();
        var received = listen(reader, LivePostList.HOME, START);
        social.post(ben, "Elsewhere");
        var news = social.post(ann, "News");

        awaitReceived(received, news);
        live.poll();
        assertThat(received).containsExactly(news);
    }

    @Test
    void nobodyGetsPostsAcrossABlock() {
        var pest = social.person("Pest");
        var blocker = social.person("Blocker");
        var bystander = social.person("Bystander");
        social.follows.block(blocker, pest.user());
        var toBlocker = listen(blocker, LivePostList.NEWEST, START);
        var toPest = listen(pest, LivePostList.NEWEST, START);
        var toBystander = listen(bystander, LivePostList.NEWEST, START);
        var spam = social.post(pest, "Spam");
        var calm = social.post(blocker, "Calm");

        awaitReceived(toBystander, spam, calm);
        live.poll();
        assertThat(toBlocker).isEmpty();
        assertThat(toPest).isEmpty();
    }

    @Test
    void aPostThatBecomesVisibleLateIsSentAfterANewerOne() {
        var ann = social.person("Ann");
        var ben = social.person("Ben");
        social.follows.follow(ben, ann.user());
        social.settle();
        var late = social.post(ann, "Late");
        var known = social.post(ann, "Known");
        social.settle();
        for (var list : LivePostList.values()) {
            assertThat(listen(ben, list, known)).as(list.name()).containsExactly(late, known);
        }
    }

    @Test
    void aReaderWhoReconnectsGetsAllMissedPosts() {
        var ann = social.person("Ann");
        var ben = social.person("Ben");
        social.follows.follow(ben, ann.user());
        var seen = social.post(ann, "Seen");
        var missed = social.post(ann, "Missed");
        social.settle();
        var clock = new SettableClock(Instant.now().plus(Duration.ofHours(1)));
        var later = new LivePosts(social.db, clock);
        for (var list : LivePostList.values()) {
            var received = new CopyOnWriteArrayList<PostId>();
            later.listen(ben.user(), list, seen, received::add);
            assertThat(received).as(list.name()).containsExactly(missed);
        }
    }

    @Test
    void aReaderWithoutAPositionGetsPostsFromNowOn() {
        var ann = social.person("Ann");
        var ben = social.person("Ben");
        social.follows.follow(ben, ann.user());
        social.settle();
        social.post(ann, "Before");
        social.settle();
        for (var list : LivePostList.values()) {
            var received = new CopyOnWriteArrayList<PostId>();
            var end = live.listen(ben.user(), list, received::add);
            live.poll();
            assertThat(received).as(list.name()).isEmpty();
            var news = social.post(ann, "News");
            awaitReceived(received, news);
            end.run();
        }
    }

    @Test
    void aClosedStreamGetsNothingMore() {
        var ann = social.person("Ann");
        var received = new CopyOnWriteArrayList<PostId>();
        live.listen(social.person("Ben").user(), LivePostList.NEWEST, START, received::add)
                .run();
        social.post(ann, "News");
        live.poll();
        assertThat(received).isEmpty();
    }

    private List<PostId> listen(Caller reader, LivePostList list, PostId after) {
        var received = new CopyOnWriteArrayList<PostId>();
        live.listen(reader.user(), list, after, received::add);
        return received;
    }

    private static void awaitReceived(List<PostId> received, PostId... posts) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(received).containsExactly(posts));
    }
}
