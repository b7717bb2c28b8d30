package io.hiroba.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hiroba.accounts.Email;
import io.hiroba.accounts.UserId;
import io.hiroba.demo.Demo.Result;
import io.hiroba.platform.events.EventLog;
import io.hiroba.platform.id.Ids;
import io.hiroba.social.Position;
import io.hiroba.testkit.ChildJvm;
import io.hiroba.testkit.TestSocial;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class DemoTest {

    private static final Set<UserId> ANSWERING = ConcurrentHashMap.newKeySet();

    private static final Email ADMIN = new Email("admin@hiroba.local");
    private static final Instant PRESENT = Instant.parse("2026-03-01T10:00:00Z");
    private static final Demo.Progress UNTOLD = (acts, all) -> {};

    /** Everything that anybody can see, in words that do not depend on ids. */
    private static final String COMMUNITY = """
            SELECT concat_ws(' | ', 'post', u.nickname, p.created_at, q.content, d.content, p.updated_at, p.allow_replies,
                             t.count_likes, t.count_replies, array(SELECT name FROM social.post_tags
                                                                   WHERE post_id = p.id ORDER BY name),
                             array(SELECT c.nickname FROM social.post_mentions m JOIN accounts.user_card c ON c.id = m.user_id
                                   WHERE m.post_id = p.id ORDER BY 1))
            FROM social.posts p
            JOIN accounts.user_card u ON u.id = p.owned_by
            JOIN social.post_details d ON d.post_id = p.id
            JOIN social.post_totals t ON t.post_id = p.id
            LEFT JOIN social.post_details q ON q.post_id = p.reply_to
            UNION ALL
            SELECT concat_ws(' | ', 'follow', a.nickname, b.nickname, f.created_at)
            FROM social.user_follows f
            JOIN accounts.user_card a ON a.id = f.follower_id
            JOIN accounts.user_card b ON b.id = f.followee_id
            UNION ALL
            SELECT concat_ws(' | ', 'like', a.nickname, d.content, l.created_at)
            FROM social.post_likes l
            JOIN accounts.user_card a ON a.id = l.liked_by
            JOIN social.post_details d ON d.post_id = l.post_id
            UNION ALL
            SELECT concat_ws(' | ', 'person', u.nickname, u.email, u.ai_model, d.introduction,
                             CASE WHEN u.is_admin THEN '' ELSE CAST(u.created_at AS text) END)
            FROM accounts.users u JOIN accounts.user_details d ON d.user_id = u.id
            ORDER BY 1
            """;

    /** The community as it comes out when nothing disturbs it. */
    private static final TestSocial UNDISTURBED = new TestSocial();

    private static final UserId VISITOR = UNDISTURBED.accounts.user(ADMIN, "admin", true);
    private static final List<Integer> TOLD = new ArrayList<>();

    private final TestSocial square = new TestSocial();

    DemoTest() {
        square.accounts.user(ADMIN, "admin", true);
        square.accounts.clock.set(PRESENT);
    }

    @BeforeAll
    static void fill() {
        UNDISTURBED.accounts.clock.set(PRESENT);
        var outcome = demo(UNDISTURBED).fill(ADMIN, (acts, all) -> TOLD.add(all - acts));
        assertThat(outcome).isEqualTo(Result.FILLED);
    }

    @AfterAll
    static void end() {
        UNDISTURBED.close();
    }

    @AfterEach
    void close() {
        square.close();
    }

    private static Demo demo(TestSocial square) {
        var accounts = square.accounts;
        return new Demo(
                        square.db,
                        square.db,
                        accounts.clock,
                        new EventLog(),
                        accounts.users,
                        accounts.credentials,
                        accounts.aiModels)
                .answering((admin, account) -> ANSWERING.add(account))
                .keeping(() -> Map.of("project one", (tx, admin) -> 1L, "project two", (tx, admin) -> 2L));
    }

    private static List<String> community(TestSocial square) {
        return square.db.read(
                reads -> reads.query(COMMUNITY).mapTo(String.class).list());
    }

    @Test
    void aCommunityIsFilledOnceAndLeftAloneAfterwards() {
        assertThat(TOLD)
                .hasSizeGreaterThan(1000)
                .isSortedAccordingTo(Comparator.reverseOrder())
                .endsWith(0);
        var community = community(UNDISTURBED);

        assertThat(demo(UNDISTURBED).fill(ADMIN, UNTOLD)).isEqualTo(Result.ALREADY_FULL);
        assertThat(community(UNDISTURBED)).isEqualTo(community);
    }

    @Test
    void projectsAreMadeOnceForTheAdmin() {
        var made = "SELECT name || ' ' || id FROM demo.made WHERE name LIKE 'project%' ORDER BY 1";
        List<String> names = UNDISTURBED.db.read(
                reads -> reads.query(made).mapTo(String.class).list());
        assertThat(names).containsExactly("project one 1", "project two 2");
    }

    @Test
    void itReadsAsIfItHadHappenedOverWeeks() {
        UNDISTURBED.settle();

        var feed = UNDISTURBED.lists.feed(VISITOR, Position.NEWEST, 100);
        assertThat(feed).hasSizeGreaterThan(40);
        assertThat(feed.getFirst().item().createdAt()).isBetween(PRESENT.minus(Duration.ofHours(3)), PRESENT);
        assertThat(feed.getLast().item().createdAt()).isBefore(PRESENT.minus(Duration.ofDays(35)));
        assertThat(count("SELECT count(*) FROM social.posts WHERE created_at >= '2026-03-01T10:00:00Z'"))
                .isZero();
        assertThat(count("SELECT count(*) FROM social.posts WHERE updated_at > created_at"))
                .isEqualTo(2);
        assertThat(count("SELECT count(*) FROM social.post_mentions WHERE user_id = " + VISITOR.value()))
                .isEqualTo(1);
        assertThat(count("SELECT count(*) FROM social.post_mentions")).isGreaterThan(10);
    }

    @Test
    void twoAgentsOfTheBuiltInModelAnswer() {
        for (var name : List.of("Almanac", "しおり")) {
            var agent = UNDISTURBED.accounts.users.list(name, 1).getFirst();
            assertThat(agent.aiModel()).isEqualTo("librarian");
            assertThat(ANSWERING).contains(agent.id());
        }
    }

    @Test
    void nobodyGetsMailOrIntoTheirAccounts() {
        assertThat(count("SELECT count(*) FROM accounts.users WHERE email LIKE '%@hiroba.example'"))
                .isEqualTo(DemoPeople.read().people().size());
        assertThat(count("SELECT count(*) FROM accounts.users WHERE is_admin")).isEqualTo(1);
        assertThat(UNDISTURBED.accounts.mailer.recent(10)).isEmpty();
        var mai = UNDISTURBED.accounts.users.list("Mai", 1).getFirst();
        for (var guess : List.of("", "demo", "password", "Mai", mai.email().value())) {
            assertThat(UNDISTURBED.accounts.credentials.verify(mai.id(), guess)).isEmpty();
        }
    }

    private static int count(String sql) {
        return UNDISTURBED.accounts.count(sql);
    }

    @Test
    void killedHalfWayItIsTakenUpAndEndsAsIfNothingHadHappened() {
        int all = DemoTimeline.of(DemoPeople.read(), PRESENT).size();
        for (int last : List.of(30, all / 2, all - 10)) {
            var config = square.accounts.database.config();
            try (var child = ChildJvm.start(
                    DemoNode.class,
                    config.url(),
                    config.user(),
                    config.password(),
                    PRESENT.toString(),
                    ADMIN.value(),
                    String.valueOf(last))) {
                await().atMost(Duration.ofSeconds(60)).until(() -> !child.alive());
            }
            assertThat(square.accounts.count("SELECT acts_done FROM demo.filling"))
                    .isBetween(1, last);
        }
        assertThat(demo(square).fill(ADMIN, UNTOLD)).isEqualTo(Result.FILLED);

        assertThat(community(square)).isEqualTo(community(UNDISTURBED));
    }

    @Test
    void closedOnTheWayItStopsAndGoesOnLater() {
        var first = demo(square);
        assertThat(first.fill(ADMIN, (acts, all) -> {
                    if (acts == 500) {
                        Thread.startVirtualThread(first::close);
                    }
                }))
                .isEqualTo(Result.INTERRUPTED);
        square.accounts.clock.advance(Duration.ofDays(2));
        // Other acts than these may have had these numbers: what is made already is taken as it is.
        square.db.useTransaction(
                tx -> tx.update("UPDATE demo.filling SET acts_done = 20").execute());
        assertThat(demo(square).fill(ADMIN, UNTOLD)).isEqualTo(Result.FILLED);

        assertThat(community(square)).isEqualTo(community(UNDISTURBED));
    }

    @Test
    void twoNodesThatFillAtOnceFillOneCommunity() {
        var other = CompletableFuture.supplyAsync(() -> demo(square).fill(ADMIN, UNTOLD));
        demo(square).fill(ADMIN, UNTOLD);
        try {
            other.join();
        } catch (CompletionException e) {
            throw new AssertionError(e.getCause());
        }

        assertThat(square.accounts.count("SELECT count(*) FROM social.posts"))
                .isEqualTo(square.accounts.count("SELECT count(DISTINCT content) FROM social.post_details"));
        assertThat(community(square)).hasSameSizeAs(community(UNDISTURBED));
    }

    @Test
    void idsThatOthersMayHaveDrawnAreNotDrawnAgain() {
        long now = Instant.now().toEpochMilli();
        square.db.useTransaction(
                tx -> tx.update("UPDATE platform.id_workers SET ceiling_ms = :now WHERE ceiling_ms < :now")
                        .bind("now", now)
                        .execute());
        var demo = demo(square);
        assertThat(demo.fill(ADMIN, (acts, all) -> {
                    if (acts == 100) {
                        Thread.startVirtualThread(demo::close);
                    }
                }))
                .isEqualTo(Result.INTERRUPTED);

        var oldest = square.db.read(reads -> reads.query("SELECT min(id) FROM social.posts")
                .mapTo(Long.class)
                .one());
        assertThat(Ids.createdAt(oldest)).isAfterOrEqualTo(Instant.ofEpochMilli(now));
    }
}
