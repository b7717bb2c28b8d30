package io.hiroba.activity;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.platform.i18n.Language;
import io.hiroba.platform.mail.MailConfig;
import io.hiroba.social.PostId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class DigestsTest {

    private DigestNode node = new DigestNode("https://square.example");

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aDigestThatIsDueSaysWhatIsNewAndComesOnce() {
        var ann = node.subscriber("Ann", DigestFrequency.DAILY);
        var ben = node.accounts.user("Ben");
        var carl = node.accounts.user("Carl");
        node.card(ann, Slot.FOLLOW, Duration.ofHours(2), ben);
        node.post(ann, 7);
        node.card(ann, like(7), Duration.ofHours(1), ben, carl);
        node.digests.sendDue();
        node.digests.sendDue();
        var mail = node.mails().getFirst();
        assertThat(node.mails()).hasSize(1);
        assertThat(mail.to()).isEqualTo(node.accounts.emailOf(ann).value());
        assertThat(mail.subject()).isEqualTo("2 new on square.example");
        assertThat(mail.body()).isEqualTo("""
                Hello Ann,

                2 new on square.example:

                - Ben and Carl liked your post
                  https://square.example/posts/0000000000000007

                - Ben followed you
                  https://square.example/users/%s

                View all notifications: https://square.example/notifications

                You get this digest daily. Settings: https://square.example/settings/notifications
                Unsubscribe: %s
                """.formatted(ben.hex(), mail.unsubscribe()));
        assertThat(node.next(ann)).isEqualTo(node.nextAfter(DigestFrequency.DAILY));
    }

    @Test
    void theLinkThatEndsDigestsIsTheReadersOwnAndNoOtherDigestFollows() {
        var ann = node.subscriber("Ann", DigestFrequency.DAILY);
        node.card(ann, Slot.FOLLOW, Duration.ofHours(1), ann);
        node.digests.sendDue();
        var link = node.mails().getFirst().unsubscribe();
        assertThat(link).startsWith("https://square.example/unsubscribe/");
        var reader = node.digests.subscriber(link.substring(link.lastIndexOf('/') + 1));
        assertThat(reader).contains(ann);
        node.digests.unsubscribe(ann);
        node.passTime(Duration.ofDays(2));
        node.card(ann, like(7), Duration.ofHours(1), ann);
        node.digests.sendDue();
        assertThat(node.mails()).hasSize(1);
    }

    @Test
    void whatWasToldIsNotToldAgain() {
        var ann = node.subscriber("Ann", DigestFrequency.DAILY);
        node.card(ann, Slot.FOLLOW, Duration.ofHours(1), ann);
        node.digests.sendDue();
        node.passTime(Duration.ofDays(1));
        node.card(ann, like(7), Duration.ofHours(1), ann);
        node.digests.sendDue();
        assertThat(node.mails()).hasSize(2);
        assertThat(node.mails().getLast().subject()).isEqualTo("1 new on square.example");
        assertThat(node.mails().getLast().body()).contains("liked your post").doesNotContain("followed you");
    }

    @Test
    void withNothingUnreadOnlyTheTimeMoves() {
        var ann = node.subscriber("Ann", DigestFrequency.WEEKLY);
        node.readCard(ann, Slot.FOLLOW);
        node.digests.sendDue();
        assertThat(node.mails()).isEmpty();
        assertThat(node.next(ann)).isEqualTo(node.nextAfter(DigestFrequency.WEEKLY));
    }

    @Test
    void theSuspendedGetNoDigest() {
        var ann = node.subscriber("Ann", DigestFrequency.DAILY);
        node.card(ann, Slot.FOLLOW, Duration.ofHours(2), node.accounts.user("Ben"));
        node.accounts.suspend(ann);
        node.digests.sendDue();
        assertThat(node.mails()).isEmpty();
        assertThat(node.next(ann)).isEqualTo(node.nextAfter(DigestFrequency.DAILY));
    }

    @Test
    void theFirstDigestDoesNotBringBackWhatIsLongAgo() {
        var ann = node.subscriber("Ann", DigestFrequency.DAILY);
        node.card(ann, Slot.FOLLOW, Duration.ofDays(30), ann);
        node.digests.sendDue();
        assertThat(node.mails()).isEmpty();
    }

    @Test
    void afterDaysWithoutANodeThereIsOneDigestAndNotOneADay() {
        var ann = node.subscriber("Ann", DigestFrequency.DAILY);
        node.card(ann, Slot.FOLLOW, Duration.ofHours(1), ann);
        node.digests.sendDue();
        node.passTime(Duration.ofDays(5));
        node.card(ann, like(7), Duration.ofDays(4), ann);
        node.card(ann, like(8), Duration.ofHours(1), ann);
        node.digests.sendDue();
        node.digests.sendDue();
        assertThat(node.mails()).hasSize(2);
        assertThat(node.mails().getLast().subject()).isEqualTo("2 new on square.example");
        assertThat(node.next(ann)).isAfter(node.accounts.clock.instant());
    }

    @Test
    void twentyCardsAreToldInWordsAndTheRestIsCounted() {
        var ann = node.subscriber("Ann", DigestFrequency.DAILY);
        for (int n = 1; n <= 25; n++) {
            node.post(ann, n);
            node.card(ann, like(n), Duration.ofMinutes(60 - n), ann);
        }
        node.digests.sendDue();
        var mail = node.mails().getFirst();
        assertThat(mail.subject()).isEqualTo("25 new on square.example");
        assertThat(mail.body().split("liked your post", -1)).hasSize(21);
        assertThat(mail.body())
                .contains("5 more notifications: ")
                .contains("0000000000000019")
                .doesNotContain("0000000000000005");
    }

    @Test
    void aCardOnAPostThatIsGoneLeadsToAllCards() {
        var ann = node.subscriber("Ann", DigestFrequency.DAILY);
        node.card(ann, like(99), Duration.ofHours(1), node.accounts.user("Ben"));
        node.digests.sendDue();
        assertThat(node.mails().getFirst().body()).doesNotContain("/posts/");
    }

    @Test
    void manyNodesAtOnceSendEachDigestOnce() throws InterruptedException {
        var readers = new ArrayList<UserId>();
        for (int i = 0; i < 30; i++) {
            var reader = node.subscriber("Reader " + i, DigestFrequency.DAILY);
            node.card(reader, Slot.FOLLOW, Duration.ofHours(1), reader);
            readers.add(reader);
        }
        try (var second = node.anotherNode();
                var third = node.anotherNode();
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var each : List.of(node.digests, second.digests(), third.digests())) {
                threads.execute(each::sendDue);
                threads.execute(each::sendDue);
            }
        }
        assertThat(node.mails())
                .extracting(DigestNode.Mail::to)
                .containsExactlyInAnyOrderElementsOf(readers.stream()
                        .map(reader -> node.accounts.emailOf(reader).value())
                        .toList());
    }

    /** The failure comes after the mail was queued: when what it told of is noted down. */
    @ParameterizedTest
    @ValueSource(strings = {"RAISE EXCEPTION 'a failure'", "PERFORM pg_terminate_backend(pg_backend_pid())"})
    void aFailureHalfWayLosesNothingAndDoublesNothing(String failure) {
        var ann = node.subscriber("Ann", DigestFrequency.DAILY);
        var ben = node.subscriber("Ben", DigestFrequency.DAILY);
        node.card(ann, Slot.FOLLOW, Duration.ofHours(1), ben);
        node.card(ben, Slot.FOLLOW, Duration.ofHours(1), ann);
        node.failWhenNoted(ann, failure);
        node.digests.sendDue();
        assertThat(node.mails())
                .as("the others are served")
                .extracting(DigestNode.Mail::to)
                .containsExactly(node.accounts.emailOf(ben).value());
        node.failNoMore();
        node.passTime(Duration.ofHours(1));
        node.digests.sendDue();
        node.digests.sendDue();
        assertThat(node.mails()).hasSize(2);
        assertThat(node.mails().getLast().to())
                .isEqualTo(node.accounts.emailOf(ann).value());
    }

    @Test
    void overTheLimitsMeansLaterAndLeavesRoomForCodes() {
        node.close();
        node = new DigestNode("https://square.example", new MailConfig.Limits(2, 100, 4));
        for (int i = 0; i < 5; i++) {
            var reader = node.subscriber("Reader " + i, DigestFrequency.DAILY);
            node.card(reader, Slot.FOLLOW, Duration.ofHours(1), reader);
        }
        node.digests.sendDue();
        assertThat(node.mails()).hasSize(2);
        node.digests.sendDue();
        assertThat(node.mails()).hasSize(2);
        for (int sent : new int[] {4, 5, 5}) {
            node.passTime(Duration.ofSeconds(61));
            node.digests.sendDue();
            assertThat(node.mails()).hasSize(sent);
        }
        assertThat(node.mails()).extracting(DigestNode.Mail::to).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource({
        "Europe/Berlin, 2026-10-24T10:00:00Z, 2026-10-25T07:00:00Z",
        "Europe/Berlin, 2026-03-28T10:00:00Z, 2026-03-29T06:00:00Z",
        "Asia/Tokyo,    2026-11-15T22:59:00Z, 2026-11-15T23:00:00Z",
        "Asia/Tokyo,    2026-11-15T23:00:00Z, 2026-11-16T23:00:00Z"
    })
    void theNextOneComesAtEightWhereTheReaderLives(String zone, Instant now, Instant next) {
        node.accounts.clock.set(now);
        var ann = node.subscriber("Ann", DigestFrequency.DAILY);
        node.setZone(ann, zone);
        node.card(ann, Slot.FOLLOW, Duration.ofHours(1), ann);
        node.digests.sendDue();
        assertThat(node.mails()).hasSize(1);
        assertThat(node.next(ann)).isEqualTo(next);
    }

    @Test
    void aDigestIsInTheLanguageOfItsReader() {
        var ann = node.subscriber("Ann", DigestFrequency.WEEKLY);
        node.setLanguage(ann, Language.JAPANESE);
        var ben = node.accounts.user("Ben");
        node.card(ann, Slot.FOLLOW, Duration.ofHours(1), ben);
        node.digests.sendDue();
        var mail = node.mails().getFirst();
        assertThat(mail.subject()).isEqualTo("square.exampleに新しい通知が1件あります");
        assertThat(mail.body()).isEqualTo("""
                Annさん

                square.exampleに新しい通知が1件あります。

                - Benさんがあなたをフォローしました
                  https://square.example/users/%s

                すべての通知を見る: https://square.example/notifications

                このダイジェストは毎週お届けしています。設定: https://square.example/settings/notifications
                配信停止: %s
                """.formatted(ben.hex(), mail.unsubscribe()));
        assertThat(mail.html())
                .contains("<html lang=\"ja\">")
                .contains("Benさんがあなたをフォローしました</a>")
                .contains("配信停止</a>");
    }

    @Test
    void whatPeopleWriteStaysText() {
        var ann = node.subscriber("<b>Ann</b>", DigestFrequency.DAILY);
        var eve = node.accounts.user("<script>alert(1)</script>");
        node.card(ann, Slot.FOLLOW, Duration.ofHours(1), eve);
        node.digests.sendDue();
        var html = node.mails().getFirst().html();
        assertThat(html)
                .contains("Hello &lt;b&gt;Ann&lt;/b&gt;")
                .contains("&lt;script&gt;alert(1)&lt;/script&gt; followed you")
                .doesNotContain("<script>")
                .contains("href=\"" + node.mails().getFirst().unsubscribe() + "\"");
    }

    @Test
    void withoutTlsTheLinkIsInTheTextOnly() {
        node.close();
        node = new DigestNode("");
        var ann = node.subscriber("Ann", DigestFrequency.WEEKLY);
        node.card(ann, Slot.FOLLOW, Duration.ofDays(6), ann);
        node.digests.sendDue();
        var mail = node.mails().getFirst();
        assertThat(mail.subject()).isEqualTo("1 new on Hiroba");
        assertThat(mail.unsubscribe()).isEmpty();
        assertThat(mail.body())
                .contains("Unsubscribe: http://localhost:0/unsubscribe/")
                .contains("You get this digest weekly.");
    }

    private static Slot like(long post) {
        return Slot.of(NotificationKind.LIKE, new PostId(post));
    }
}
