package io.hiroba.activity;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.social.Author;
import io.hiroba.social.PostId;
import io.hiroba.testkit.TableDefinition;
import io.hiroba.testkit.TestCard;
import io.hiroba.testkit.TestSocial;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class NotificationsTest {

    private static final TestSocial social = new TestSocial();
    private static final Notifications notifications = new Notifications(social.db);

    @AfterAll
    static void close() {
        social.close();
    }

    private static Slot like(long post) {
        return Slot.of(NotificationKind.LIKE, new PostId(post));
    }

    private static Instant micros(long more) {
        return TestCard.TIME.plus(more, ChronoUnit.MICROS);
    }

    /** Cards like:1, like:2 … of a microsecond each, the last one the newest. */
    private static void cards(Caller reader, int from, int to, boolean read) {
        for (int n = from; n <= to; n++) {
            var card = TestCard.of(reader.user(), like(n)).updatedAt(micros(n)).by(reader.user());
            (read ? card.read() : card).insert(social.db);
        }
    }

    private static List<Long> posts(List<Card> cards) {
        var posts = new ArrayList<Long>();
        for (var card : cards) {
            var post = card.slot().post();
            posts.add(post == null ? 0 : post.value());
        }
        return posts;
    }

    @Test
    void theTableHasTheColumnsAndConstraintsOfTheDesign() {
        assertThat(TableDefinition.of(social.db, "activity.notifications"))
                .containsExactlyInAnyOrder(
                        "user_id bigint NOT NULL",
                        "slot character varying(50) NOT NULL",
                        "term character varying(50) NOT NULL",
                        "is_read boolean NOT NULL",
                        "payload jsonb NOT NULL",
                        "updated_at timestamp with time zone NOT NULL",
                        "created_at timestamp with time zone NOT NULL",
                        "PRIMARY KEY (user_id, slot, term)",
                        "FOREIGN KEY (user_id) REFERENCES accounts.users(id) ON DELETE CASCADE");
    }

    @Test
    void theNewestFiftyUnreadAndFiftyReadComeMergedByTime() {
        var ann = social.person("Ann");
        cards(ann, 1, 60, false);
        cards(ann, 61, 70, true);
        cards(ann, 71, 75, false);
        cards(ann, 76, 130, true);
        cards(social.person("Bob"), 131, 132, false);
        var feed = notifications.newest(ann.user());
        var expected = new ArrayList<Long>();
        for (long n = 130; n >= 81; n--) {
            expected.add(n);
        }
        for (long n = 75; n >= 71; n--) {
            expected.add(n);
        }
        for (long n = 60; n >= 16; n--) {
            expected.add(n);
        }
        assertThat(posts(feed.cards())).isEqualTo(expected);
        assertThat(feed.newest()).isEqualTo(micros(130));
    }

    @Test
    void aCardComesWithNamesAndTheBeginningOfItsPost() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var carl = social.person("Carl");
        var annsPost = social.post(ann, "Tomatoes are **ripe**");
        var bobsPost = social.post(bob, "Weather");
        var reply = social.reply(carl, annsPost, "Really?");
        TestCard.of(ann.user(), Slot.FOLLOW).by(bob.user()).insert(social.db);
        TestCard.of(ann.user(), Slot.of(NotificationKind.REPLY, annsPost))
                .updatedAt(micros(1))
                .by(carl.user(), reply)
                .by(bob.user(), new PostId(7))
                .insert(social.db);
        TestCard.of(ann.user(), Slot.of(NotificationKind.MENTION, bobsPost))
                .updatedAt(micros(2))
                .by(bob.user(), bobsPost)
                .insert(social.db);
        var cards = notifications.newest(ann.user()).cards();
        assertThat(cards)
                .extracting(card -> card.slot().kind())
                .containsExactly(NotificationKind.MENTION, NotificationKind.REPLY, NotificationKind.FOLLOW);
        var replied = cards.get(1);
        var tomatoes = requireNonNull(replied.post());
        assertThat(tomatoes.excerpt()).isEqualTo("Tomatoes are ripe");
        assertThat(tomatoes.mine()).isTrue();
        assertThat(replied.countUsers()).isEqualTo(2);
        assertThat(replied.countPosts()).isEqualTo(2);
        assertThat(replied.acts())
                .containsExactly(
                        new Card.Act(
                                TestCard.TIME.truncatedTo(ChronoUnit.MILLIS),
                                new Author(carl.user(), "Carl", null, false),
                                reply),
                        new Card.Act(
                                TestCard.TIME.truncatedTo(ChronoUnit.MILLIS),
                                new Author(bob.user(), "Bob", null, false),
                                new PostId(7)));
        var weather = requireNonNull(cards.getFirst().post());
        assertThat(weather.id()).isEqualTo(bobsPost);
        assertThat(weather.mine()).isFalse();
        assertThat(cards.getLast().post()).isNull();
        assertThat(cards.getLast().countPosts()).isNull();
    }

    @Test
    void whoAndWhatIsGoneIsLeftOut() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var carl = social.person("Carl");
        TestCard.of(ann.user(), like(5)).by(bob.user()).by(carl.user()).insert(social.db);
        social.delete(bob.user());
        var card = notifications.newest(ann.user()).cards().getFirst();
        assertThat(card.acts()).extracting(act -> act.user().nickname()).containsExactly("Carl");
        assertThat(card.post()).isNull();
        social.delete(carl.user());
        assertThat(notifications.newest(ann.user()).cards().getFirst().acts()).isEmpty();
    }

    @Test
    void aPostThatABlockHidesIsNotQuoted() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        var post = social.post(bob, "Not for Ann");
        TestCard.of(ann.user(), Slot.of(NotificationKind.MENTION, post))
                .by(bob.user(), post)
                .insert(social.db);
        assertThat(notifications.newest(ann.user()).cards().getFirst().post()).isNotNull();
        social.follows.block(bob, ann.user());
        assertThat(notifications.newest(ann.user()).cards().getFirst().post()).isNull();
    }

    @Test
    void whereNothingIsNewerThereIsNoAnswer() {
        var ann = social.person("Ann");
        var none = notifications.newest(ann.user());
        assertThat(none.cards()).isEmpty();
        assertThat(notifications.newest(ann.user(), none.newest())).isEmpty();
        cards(ann, 1, 2, false);
        cards(ann, 3, 3, true);
        assertThat(notifications.newest(ann.user(), none.newest())).isPresent();
        assertThat(notifications.newest(ann.user(), micros(3))).isEmpty();
        assertThat(notifications.newest(ann.user(), micros(2)))
                .hasValueSatisfying(feed -> assertThat(posts(feed.cards())).containsExactly(3L, 2L, 1L));
        // Of an unread card too.
        cards(ann, 4, 4, false);
        assertThat(notifications.newest(ann.user(), micros(3))).isPresent();
    }

    @Test
    void aTimeAfterThePresentIsAnsweredInFull() {
        var ann = social.person("Ann");
        var later = Instant.now().plus(Duration.ofHours(1));
        assertThat(notifications.newest(ann.user(), later))
                .hasValueSatisfying(feed -> assertThat(feed.cards()).isEmpty());
        cards(ann, 1, 1, false);
        assertThat(notifications.newest(ann.user(), later))
                .hasValueSatisfying(feed -> assertThat(posts(feed.cards())).containsExactly(1L));
    }

    private static List<Long> paged(Caller reader, Runnable between) {
        var posts = new ArrayList<Long>();
        var after = CardPosition.NEWEST;
        while (true) {
            var page = notifications.page(reader.user(), false, after, 3);
            posts.addAll(posts(page));
            if (page.size() < 3) {
                return posts;
            }
            after = CardPosition.of(page.getLast().position().cursor());
            between.run();
        }
    }

    @Test
    void pagesNeitherSkipNorRepeatWhatStaysWhileCardsMove() {
        var ann = social.person("Ann");
        cards(ann, 1, 10, false);
        // After the first page, which ends with 8: a new card, one that is read, one that gets an act, one that goes.
        var moves = new ArrayList<Runnable>(List.of(
                () -> {
                    cards(ann, 11, 11, false);
                    notifications.mark(ann, like(7), "2026-01-02", true, null);
                },
                () -> {
                    cards(ann, 12, 12, false);
                    notifications.mark(ann, like(9), "2026-01-02", true, null);
                }));
        assertThat(paged(ann, () -> (moves.isEmpty() ? (Runnable) () -> {} : moves.removeFirst()).run()))
                .containsExactly(10L, 9L, 8L, 6L, 5L, 4L, 3L, 2L, 1L);
        assertThat(posts(notifications.page(ann.user(), true, CardPosition.NEWEST, 10)))
                .containsExactly(9L, 7L);
    }

    @Test
    void cardsOfTheSameMicrosecondComeOnceEach() {
        var ann = social.person("Ann");
        for (long n = 1; n <= 7; n++) {
            TestCard.of(ann.user(), like(n)).insert(social.db);
        }
        assertThat(paged(ann, () -> {})).containsExactlyInAnyOrder(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    }
}
