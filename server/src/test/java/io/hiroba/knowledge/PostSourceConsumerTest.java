package io.hiroba.knowledge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.PostSourceStore.PostRef;
import io.hiroba.knowledge.embedding.EmbeddingSpaces;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.social.PostDraft;
import io.hiroba.social.PostId;
import io.hiroba.testkit.TestKnowledge;
import io.hiroba.testkit.TestSocial;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("slow")
class PostSourceConsumerTest {

    private final TestSocial social = new TestSocial();
    private final SourceWriter writer = new SourceWriter(social.accounts.lease.ids(), Clock.systemUTC());
    private final PostSourceSync sync = new PostSourceSync(writer, 100);
    private final WakeSignal changed = new WakeSignal();
    private final PostRules rules = new PostRules(social.db, social.accounts.lease.ids(), Clock.systemUTC(), changed);
    private final Caller admin = social.accounts.caller(social.accounts.admin());
    private final PostRuleWorker work = begun();

    private PostRuleWorker begun() {
        new EmbeddingSpaces(social.db).prepare(TestKnowledge.MODEL);
        social.consume(PostSourceConsumer.NAME, new PostSourceConsumer(sync));
        return new PostRuleWorker(social.db, sync, changed).start();
    }

    @BeforeAll
    void begin() {
        assertThat(rules.list(admin)).isEmpty();
    }

    @AfterAll
    void end() {
        work.close();
        social.close();
    }

    private static void refused(String code, ThrowingCallable act) {
        assertThatThrownBy(act)
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(code));
    }

    private List<String> known(UserId owner) {
        return social.db.read(reads -> reads.query("""
                SELECT c.content || ' ' || s.uri || CASE WHEN s.is_public AND c.is_public THEN '' ELSE ' hidden' END
                FROM knowledge.knowledge_sources s JOIN knowledge.knowledge_chunks c ON c.source_id = s.id
                WHERE s.owned_by = :owner AND s.type = 'post'
                ORDER BY s.origin, c.position
                """)
                .bind("owner", owner.value())
                .mapTo(String.class)
                .list());
    }

    /** Waits until events and rules are worked off. */
    private void settle() {
        social.settle();
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() ->
                        social.accounts.count("SELECT count(*) FROM knowledge.post_rules WHERE todo_below IS NOT NULL")
                                == 0);
    }

    private static String of(String content, PostId post) {
        return content + " /posts/" + post.hex();
    }

    @Test
    void postsFlowInAreRewrittenAndFlowOut() {
        var ann = social.person("Ann");
        var bob = social.person("Bob");
        assertThat(rules.add(ann, null, false).isNew()).isTrue();
        assertThat(rules.add(ann, null, false).isNew()).isFalse();
        var post = social.post(ann, "Cats *purr*.");
        social.post(bob, "Dogs bark.");
        settle();
        assertThat(known(ann.user())).containsExactly(of("Cats purr.", post));
        assertThat(known(bob.user())).isEmpty();
        social.posts.edit(ann, post, PostDraft.of("Cats sleep."));
        settle();
        assertThat(known(ann.user())).containsExactly(of("Cats sleep.", post));
        social.posts.delete(ann, post);
        settle();
        assertThat(known(ann.user())).isEmpty();
    }

    @Test
    void aRuleTakesWhatWasThereBeforeAndGivesItBack() {
        var cleo = social.person("Cleo");
        var posts = IntStream.range(0, 120)
                .mapToObj(i -> social.post(cleo, "Post " + i, i % 2 == 0 ? "even" : "odd"))
                .toList();
        var even = rules.add(cleo, "#Even", false).rule();
        assertThat(even.tag()).isEqualTo("even");
        settle();
        assertThat(known(cleo.user())).hasSize(60).contains(of("Post 0", posts.getFirst()));
        var all = rules.add(cleo, null, false).rule();
        settle();
        assertThat(known(cleo.user())).hasSize(120);
        assertThat(rules.list(cleo)).extracting(PostRule::isFilling).containsExactly(false, false);
        rules.delete(cleo, all.id());
        settle();
        assertThat(known(cleo.user())).hasSize(60);
        rules.delete(cleo, even.id());
        assertThat(rules.list(cleo)).isEmpty();
        rules.add(cleo, "odd", false);
        settle();
        assertThat(known(cleo.user())).hasSize(60).contains(of("Post 1", posts.get(1)));
        social.delete(cleo.user());
        settle();
        assertThat(known(cleo.user())).isEmpty();
    }

    @Test
    void aPostThatLosesItsTagIsForgotten() {
        var dan = social.person("Dan");
        var before = social.post(dan, "How to wake up", "howto");
        var rule = rules.add(admin, "howto", true).rule();
        settle();
        assertThat(rules.list(dan)).extracting(PostRule::id).contains(rule.id());
        assertThat(known(dan.user())).containsExactly(of("How to wake up", before));
        social.posts.delete(dan, before);
        var post = social.post(dan, "How to sleep", "howto");
        settle();
        assertThat(known(dan.user())).hasSize(1);
        social.posts.edit(dan, post, PostDraft.of("How to sleep", "rest"));
        settle();
        assertThat(known(dan.user())).isEmpty();
        rules.delete(admin, rule.id());
        settle();
    }

    @Test
    void whoeverWritesLastHasTheLastWord() throws Exception {
        var eve = social.person("Eve");
        var post = social.post(eve, "First words");
        rules.add(eve, null, false);
        settle();
        var locked = new CountDownLatch(1);
        var edited = new CountDownLatch(1);
        var ref = new PostRef(post.value(), eve.user());
        var slow = Thread.ofVirtual()
                .start(() -> social.db.useTransaction(tx -> {
                    new PostSourceStore().lock(tx, List.of(ref));
                    locked.countDown();
                    try {
                        assertThat(edited.await(20, TimeUnit.SECONDS)).isTrue();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    sync.sync(tx, List.of(ref));
                }));
        assertThat(locked.await(20, TimeUnit.SECONDS)).isTrue();
        social.posts.edit(eve, post, PostDraft.of("Last words"));
        edited.countDown();
        slow.join();
        settle();
        assertThat(known(eve.user())).containsExactly(of("Last words", post));
    }

    @Test
    void onlyOnesOwnRulesAreMadeAndDeleted() {
        var fay = social.person("Fay");
        var gil = social.person("Gil");
        var rule = rules.add(fay, "private-tag", false).rule();
        refused("knowledge.no-rule", () -> rules.delete(gil, rule.id()));
        assertThat(rules.list(gil)).doesNotContain(rule);
        refused("accounts.admin-only", () -> rules.add(gil, "tag", true));
        refused("knowledge.invalid", () -> rules.add(admin, null, true));
        refused("knowledge.invalid", () -> rules.add(gil, "two words", false));
        refused("knowledge.invalid", () -> rules.add(gil, "#", false));
        var everybodys = rules.add(admin, "shared", true).rule();
        refused("accounts.admin-only", () -> rules.delete(gil, everybodys.id()));
        rules.delete(admin, everybodys.id());
        rules.delete(admin, rule.id());
        refused("knowledge.no-rule", () -> rules.delete(fay, rule.id()));
    }

    @Test
    void thereIsALimitOfRules() {
        var hal = social.person("Hal");
        IntStream.range(0, 50).forEach(i -> rules.add(hal, "tag" + i, false));
        refused("knowledge.too-many-rules", () -> rules.add(hal, "one-more", false));
    }
}
