package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.id.Ids;
import io.hiroba.platform.task.WorkLoop;
import io.hiroba.social.LivePosts.LivePostList;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestSocial;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.LongStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LivePostsTest {

    private static final PostId START = new PostId(0);

    private final TestSocial social = new TestSocial();
    private final LivePosts live = new LivePosts(social.db, Clock.systemUTC(), social.windows, new CommitSignal());
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
            assertThat(listen(ben, list, known)).as(list.name()).containsExactly(late);
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
        var later = new LivePosts(social.db, clock, social.windows, new CommitSignal());
        for (var list : LivePostList.values()) {
            var received = new CopyOnWriteArrayList<PostId>();
            later.listen(ben.user(), list, LivePostPosition.of(seen), (post, position) -> received.add(post));
            assertThat(received).as(list.name()).containsExactly(missed);
        }
    }

    @Test
    void aReaderWhoReconnectsGetsNoPostAgainButThoseThatBecameVisibleLate() {
        var ann = social.person("Ann");
        var ben = social.person("Ben");
        social.follows.follow(ben, ann.user());
        social.settle();
        var late = social.post(ann, "Late");
        social.settle();
        for (var list : LivePostList.values()) {
            // As if it had not been visible when the others were sent.
            var start = new LivePostPosition(START, Set.of(late.value()));
            var received = new CopyOnWriteArrayList<PostId>();
            var positions = new CopyOnWriteArrayList<LivePostPosition>();
            var end = live.listen(ben.user(), list, start, (post, position) -> {
                received.add(post);
                positions.add(position);
            });
            var posts = List.of(social.post(ann, "One"), social.post(ann, "Two"), social.post(ann, "Three"));
            social.settle();
            Awaitility.await().until(() -> received.containsAll(posts));
            end.run();
            var again = new CopyOnWriteArrayList<PostId>();
            var last = LivePostPosition.parse(positions.getLast().text());
            assertThat(last).isEqualTo(positions.getLast());
            live.listen(ben.user(), list, last, (post, position) -> again.add(post))
                    .run();
            assertThat(again).as(list.name()).isEmpty();

            var withoutLate = new HashSet<>(last.sent());
            withoutLate.remove(late.value());
            live.listen(
                            ben.user(),
                            list,
                            new LivePostPosition(last.latest(), withoutLate),
                            (post, position) -> again.add(post))
                    .run();
            assertThat(again).as(list.name()).containsExactly(late);
        }
    }

    @Test
    void thePositionOfABurstStaysShort() {
        var sent = LongStream.range(0, 1000)
                .mapToObj(
                        n -> Ids.lowestAt(Instant.parse("2026-01-01T00:00:00Z").plusMillis(30 * n)))
                .toList();
        var position = LivePostPosition.after(0, sent);
        assertThat(position.text()).hasSizeLessThan(1000).matches("[0-9A-Za-z]+");
        assertThat(LivePostPosition.parse(position.text())).isEqualTo(position);
        assertThat(position.sent()).hasSize(LivePostPosition.MAX_SENT).contains(sent.getLast());
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
            var end = live.listen(ben.user(), list, live.now(ben.user(), list), (post, position) -> received.add(post));
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
        live.listen(
                        social.person("Ben").user(),
                        LivePostList.NEWEST,
                        LivePostPosition.of(START),
                        (post, position) -> received.add(post))
                .run();
        social.post(ann, "News");
        live.poll();
        assertThat(received).isEmpty();
    }

    private List<PostId> listen(Caller reader, LivePostList list, PostId after) {
        var received = new CopyOnWriteArrayList<PostId>();
        live.listen(reader.user(), list, LivePostPosition.of(after), (post, position) -> received.add(post));
        return received;
    }

    private static void awaitReceived(List<PostId> received, PostId... posts) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(10))
                .untilAsserted(() -> assertThat(received).containsExactly(posts));
    }
}
