package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.Caller;
import io.hiroba.platform.events.CommitSignal;
import io.hiroba.platform.events.PostgresCommitSignal;
import io.hiroba.platform.http.Json;
import io.hiroba.platform.live.LiveSource.Channel;
import io.hiroba.social.PostId;
import io.hiroba.testkit.TestCard;
import io.hiroba.testkit.TestSocial;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveCardsTest {

    private static final TestSocial social = new TestSocial();

    /** Never looks by itself, so that what is told at once can be told from what a look finds. */
    private final LiveCards live = new LiveCards(social.db, new CommitSignal());

    private final Caller ann = social.person("Ann");
    private final Caller ben = social.person("Ben");

    @AfterEach
    void close() {
        live.close();
    }

    @AfterAll
    static void drop() {
        social.close();
    }

    @Test
    void whoComesIsToldHowManyCardsAreUnreadAndOfNoneOfThem() {
        card(ann, 1);
        card(ann, 2);
        var page = listen(ann);
        page.awaitCounts(2);
        assertThat(page.cards).isEmpty();
    }

    @Test
    void aChangeOnThisNodeIsSentAtOnceToAllPagesOfItsReaderAndToNobodyElse() {
        var first = listen(ann);
        var second = listen(ann);
        var other = listen(ben);
        card(ann, 1);
        live.changed(Set.of(ann.user(), ben.user()));
        first.awaitCards(1);
        second.awaitCards(1);
        first.awaitCounts(0, 1);
        other.awaitCounts(0);
        assertThat(other.cards).isEmpty();
    }

    @Test
    void aChangeOnAnotherNodeIsSentOnceByTheNextPoll() {
        var page = listen(ann);
        page.awaitCounts(0);
        card(ann, 1);
        assertThat(page.cards).isEmpty();
        live.poll();
        live.poll();
        live.changed(Set.of(ann.user()));
        page.awaitCounts(0, 1);
        assertThat(page.cards).containsExactly(1L);
    }

    @Test
    void aChangeThatAnotherNodeSignalsIsSentWithoutAPoll() {
        var database = social.accounts.database.config();
        try (var here = new PostgresCommitSignal(social.db, database);
                var there = new PostgresCommitSignal(social.db, database);
                var node = new LiveCards(social.db, here);
                var other = new LiveCards(social.db, there)) {
            var page = new Page();
            node.listen(new CardListener(ann.user(), node.latest(ann.user()), page));
            page.awaitCounts(0);
            card(ann, 1);
            other.changed(Set.of(ann.user()));
            page.awaitCards(1);
        }
    }

    @Test
    void aNodeLooksByItself() {
        try (var node = new LiveCards(social.db, new CommitSignal()).start()) {
            var page = new Page();
            node.listen(new CardListener(ann.user(), node.latest(ann.user()), page));
            page.awaitCounts(0);
            card(ann, 1);
            page.awaitCards(1);
        }
    }

    @Test
    void aCardThatGetsAnotherActIsToldAgain() {
        card(ann, 1);
        var page = listen(ann);
        setTime(1, TestCard.TIME.plusSeconds(60));
        live.poll();
        live.poll();
        assertThat(page.cards).containsExactly(1L);
        setTime(1, TestCard.TIME.plusSeconds(61));
        live.poll();
        assertThat(page.cards).containsExactly(1L, 1L);
    }

    @Test
    void readCardsAreToldTooSinceAnotherPageMayHaveBeenQuicker() {
        var page = listen(ann);
        TestCard.of(ann.user(), slot(1)).by(ben.user()).read().insert(social.db);
        live.poll();
        assertThat(page.cards).containsExactly(1L);
    }

    @Test
    void moreThanIsToldAtOnceIsToldByAndByInTheOrderOfTime() {
        var page = listen(ann);
        IntStream.rangeClosed(1, CardListStore.UPDATES_LIMIT + 10).forEach(n -> card(ann, n));
        live.poll();
        assertThat(page.cards).hasSize(CardListStore.UPDATES_LIMIT);
        live.poll();
        assertThat(page.cards).isEqualTo(numbers(1, CardListStore.UPDATES_LIMIT + 10));
    }

    @Test
    void whoComesBackIsToldTheNewestOfWhatWasMissed() {
        IntStream.rangeClosed(1, CardListStore.UPDATES_LIMIT + 10).forEach(n -> card(ann, n));
        var page = new Page();
        live.resume(new CardListener(ann.user(), time(2), page));
        assertThat(page.cards).isEqualTo(numbers(11, CardListStore.UPDATES_LIMIT + 10));
        page.awaitCounts(CardListStore.UPDATES_LIMIT + 10);
        live.poll();
        assertThat(page.cards).hasSize(CardListStore.UPDATES_LIMIT);
        assertThat(page.position).isEqualTo(CardTime.micros(time(CardListStore.UPDATES_LIMIT + 10)));
    }

    @Test
    void whoComesBackToNothingNewIsToldNothingTwice() {
        card(ann, 1);
        card(ann, 2);
        var page = new Page();
        live.resume(new CardListener(ann.user(), time(1), page));
        assertThat(page.cards).containsExactly(2L);
        var again = new Page();
        live.resume(new CardListener(ann.user(), CardTime.parseMicros(page.position), again));
        again.awaitCounts(2);
        assertThat(again.cards).isEmpty();
    }

    @Test
    void pagesThatStandInDifferentPlacesAreToldEachWhatIsNewToIt() {
        card(ann, 1);
        var behind = new Page();
        live.listen(new CardListener(ann.user(), Instant.EPOCH, behind));
        var ahead = listen(ann);
        live.poll();
        card(ann, 2);
        live.poll();
        assertThat(behind.cards).containsExactly(1L, 2L);
        assertThat(ahead.cards).containsExactly(2L);
    }

    @Test
    void markingOnOnePageChangesTheCountOnTheOthers() {
        card(ann, 1);
        card(ann, 2);
        var notifications = new Notifications(social.db, live::changed);
        var page = listen(ann);
        page.awaitCounts(2);
        notifications.mark(ann, slot(1), "2026-01-02", true, null);
        page.awaitCounts(2, 1);
        notifications.markAll(ann, true, null);
        page.awaitCounts(2, 1, 0);
        assertThat(page.cards).isEmpty();
    }

    @Test
    void whoHasLeftIsToldNothingMore() {
        var page = new Page();
        var end = live.listen(new CardListener(ann.user(), Instant.EPOCH, page));
        page.awaitCounts(0);
        end.run();
        card(ann, 1);
        live.changed(Set.of(ann.user()));
        live.poll();
        assertThat(page.cards).isEmpty();
    }

    @Test
    void changesAfterTheStopOfANodeAreIgnored() {
        listen(ann);
        live.close();
        card(ann, 1);
        live.changed(Set.of(ann.user()));
        live.poll();
    }

    private Page listen(Caller reader) {
        var page = new Page();
        live.listen(new CardListener(reader.user(), live.latest(reader.user()), page));
        Awaitility.await().atMost(Duration.ofSeconds(10)).until(() -> !page.counts.isEmpty());
        return page;
    }

    private static Slot slot(long post) {
        return Slot.of(NotificationKind.LIKE, new PostId(post));
    }

    private static Instant time(long number) {
        return TestCard.TIME.plus(number, ChronoUnit.MICROS);
    }

    private void card(Caller reader, long number) {
        TestCard.of(reader.user(), slot(number))
                .updatedAt(time(number))
                .by(ben.user())
                .insert(social.db);
    }

    private void setTime(long number, Instant time) {
        social.db.useTransaction(tx -> tx.update("""
                UPDATE activity.notifications SET updated_at = :time WHERE user_id = :user AND slot = :slot
                """)
                .bind("time", time.atOffset(ZoneOffset.UTC))
                .bind("user", ann.user().value())
                .bind("slot", slot(number).text())
                .execute());
    }

    private static List<Long> numbers(long from, long to) {
        var numbers = new ArrayList<Long>();
        for (long n = from; n <= to; n++) {
            numbers.add(n);
        }
        return numbers;
    }

    /** Notes what it is told: of cards the number of their post, and the counts. */
    private static final class Page implements Channel {

        private final List<Long> cards = new CopyOnWriteArrayList<>();
        private final List<Integer> counts = new CopyOnWriteArrayList<>();
        private volatile String position = "";

        @Override
        public void send(String position, String event, String json) {
            this.position = position;
            var data = Json.mapper().readTree(json);
            if (event.equals("card")) {
                cards.add(Slot.find(data.path("slot").asString())
                        .map(slot -> slot.post() == null ? 0 : slot.post().value())
                        .orElseThrow());
            } else {
                assertThat(event).isEqualTo("count");
                assertThat(data.path("more").asBoolean()).isFalse();
                counts.add(data.path("unread").asInt());
            }
        }

        void awaitCards(long... numbers) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(cards).containsExactly(box(numbers)));
        }

        void awaitCounts(Integer... expected) {
            Awaitility.await()
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(counts).containsExactly(expected));
        }

        private static Long[] box(long... numbers) {
            return Arrays.stream(numbers).boxed().toArray(Long[]::new);
        }
    }
}
