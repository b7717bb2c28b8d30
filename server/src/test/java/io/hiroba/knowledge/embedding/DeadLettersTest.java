package io.hiroba.knowledge.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.accounts.Caller;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.embedding.DeadLetters.Filter;
import io.hiroba.knowledge.embedding.ProviderException.Fault;
import io.hiroba.knowledge.embedding.TestEmbedding.Standing;
import io.hiroba.platform.problem.Problem;
import io.hiroba.platform.task.WakeSignal;
import io.hiroba.testkit.TestKnowledge;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeadLettersTest {

    private final TestKnowledge knowledge = new TestKnowledge();
    private TestEmbedding embedding = new TestEmbedding(knowledge);
    private final DeadLetters letters = new DeadLetters(knowledge.db, new WakeSignal());
    private Caller owner = knowledge.person("owner");

    @BeforeEach
    void begin() {
        embedding = new TestEmbedding(knowledge);
        owner = knowledge.accounts.caller(embedding.owner);
    }

    @AfterEach
    void clear() {
        embedding.close();
    }

    @AfterAll
    void end() {
        knowledge.close();
    }

    /** A source of the owner whose chunks are all dead. */
    private SourceId dead(Fault fault, String... texts) {
        var source = embedding.note(texts);
        var queue = embedding.queue(TestEmbedding.config(1000, 1, Duration.ZERO));
        queue.deadLetter(queue.claim(knowledge.spaces.active(), 1000).orElseThrow(), fault);
        return source;
    }

    private List<DeadLetter> list() {
        return letters.list(owner, false, Filter.NONE, Optional.empty(), 1000);
    }

    private static void assertProblem(String code, Runnable act) {
        assertThatThrownBy(act::run)
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(code));
    }

    @Test
    void aRetryPutsTheChunkBackAsIfItHadNeverBeenTried() {
        var source = dead(Fault.SERVER_ERROR, "One", "Two");
        assertThat(embedding.standing(source)).isEqualTo(new Standing("failed", 0, 2, 0, "SERVER_ERROR"));
        letters.retry(owner, list().getFirst().id());
        assertThat(embedding.standing(source)).isEqualTo(new Standing("processing", 1, 1, 0, "SERVER_ERROR"));
        assertThat(embedding.retries().values()).containsExactly(0);
        assertThat(list()).hasSize(1);
    }

    @Test
    void whatIsRetriedTwiceIsGoneTheSecondTime() {
        dead(Fault.SERVER_ERROR, "One");
        var id = list().getFirst().id();
        letters.retry(owner, id);
        assertProblem("knowledge.no-dead-letter", () -> letters.retry(owner, id));
    }

    @Test
    void aChunkThatIsGoneCannotBeRetriedButItsLetterDeleted() {
        var source = dead(Fault.SERVER_ERROR, "One");
        knowledge.db.useTransaction(tx -> tx.update("DELETE FROM knowledge.knowledge_sources WHERE id = :id")
                .bind("id", source.value())
                .execute());
        var letter = list().getFirst();
        assertThat(letter.origin().sourceTitle()).isEqualTo("Notes");
        assertThat(letter.origin().content()).as("what was deleted").isEmpty();
        assertProblem("knowledge.chunk-gone", () -> letters.retry(owner, letter.id()));
        assertThat(letters.retryAll(owner, false, Filter.NONE)).isZero();
        assertThat(list()).hasSize(1);
        letters.delete(owner, letter.id());
        assertThat(embedding.count("SELECT count(*) FROM knowledge.knowledge_chunks_dlq"))
                .isZero();
    }

    @Test
    void aLetterThatIsDeletedLeavesTheSourceAsIncompleteAsItIs() {
        var source = dead(Fault.TEXT_REFUSED, "One", "Two");
        list().forEach(letter -> letters.delete(owner, letter.id()));
        assertThat(list()).isEmpty();
        assertThat(embedding.standing(source)).isEqualTo(new Standing("failed", 0, 2, 0, "TEXT_REFUSED"));
        assertThat(letters.retryAll(owner, false, Filter.NONE)).isZero();
        assertThat(letters.retryAll(owner, false, new Filter(source, null)))
                .as("asked for by name")
                .isEqualTo(2);
        assertThat(embedding.standing(source).status()).isEqualTo("pending");
    }

    @Test
    void nothingIsLeftOfAPostThatIsDeletedNorOfWhatWasPutAside() {
        var post = dead(Fault.SERVER_ERROR, "A post");
        var aside = dead(Fault.SERVER_ERROR, "Put aside");
        dead(Fault.SERVER_ERROR, "Another");
        letters.list(owner, false, new Filter(aside, null), Optional.empty(), 10)
                .forEach(letter -> letters.delete(owner, letter.id()));
        knowledge.db.useTransaction(tx -> {
            tx.update("UPDATE knowledge.knowledge_chunks SET source_type = 'post' WHERE source_id = :id")
                    .bind("id", post.value())
                    .execute();
            tx.update("DELETE FROM knowledge.knowledge_sources WHERE id IN (:post, :aside)")
                    .bind("post", post.value())
                    .bind("aside", aside.value())
                    .execute();
        });
        assertThat(list()).extracting(letter -> letter.origin().content()).containsExactly("Another");
        assertThat(embedding.count("SELECT count(*) FROM knowledge.knowledge_chunks_dlq"))
                .isOne();
    }

    @Test
    void theErrorThatIsShownIsOfAChunkThatIsThere() {
        var source = dead(Fault.TEXT_REFUSED, "One", "Two");
        var newest = list().getFirst();
        knowledge.db.useTransaction(tx -> {
            tx.update("UPDATE knowledge.knowledge_chunks_dlq SET error_code = 'SERVER_ERROR' WHERE id = :id")
                    .bind("id", newest.id().value())
                    .execute();
            tx.update("DELETE FROM knowledge.knowledge_chunks WHERE source_id = :source AND id = :chunk")
                    .bind("source", source.value())
                    .bind("chunk", newest.origin().chunk().value())
                    .execute();
        });
        assertThat(embedding.standing(source).errorCode()).isEqualTo("TEXT_REFUSED");
    }

    @Test
    void allOfASourceOrOfAFaultAreRetried() {
        var one = dead(Fault.SERVER_ERROR, "One", "Two");
        dead(Fault.TEXT_REFUSED, "Three");
        dead(Fault.TEXT_REFUSED, "Four");
        assertThat(letters.retryAll(owner, false, new Filter(one, "TEXT_REFUSED")))
                .isZero();
        assertThat(letters.retryAll(owner, false, new Filter(one, null))).isEqualTo(2);
        assertThat(letters.retryAll(owner, false, new Filter(null, "TEXT_REFUSED")))
                .isEqualTo(2);
    }

    @Test
    void thousandsAreRetriedInBatches() {
        dead(Fault.SERVER_ERROR, TestEmbedding.texts(1000));
        assertThat(letters.retryAll(owner, false, Filter.NONE)).isEqualTo(1000);
        assertThat(embedding.retries()).hasSize(1000);
    }

    @Test
    void nobodySeesOrTouchesWhatIsAnothers() {
        dead(Fault.SERVER_ERROR, "One");
        var id = list().getFirst().id();
        var stranger = knowledge.person("stranger");
        assertThat(letters.list(stranger, false, Filter.NONE, Optional.empty(), 10))
                .isEmpty();
        assertProblem("knowledge.no-dead-letter", () -> letters.retry(stranger, id));
        assertProblem("knowledge.no-dead-letter", () -> letters.delete(stranger, id));
        assertThat(letters.retryAll(stranger, false, Filter.NONE)).isZero();
        assertThatThrownBy(() -> letters.list(stranger, true, Filter.NONE, Optional.empty(), 10))
                .isInstanceOf(Problem.class);
        assertThatThrownBy(() -> letters.retryAll(stranger, true, Filter.NONE)).isInstanceOf(Problem.class);
        assertThat(list()).hasSize(1);
    }

    @Test
    void anAdminSeesAndRetriesEverybodys() {
        dead(Fault.SERVER_ERROR, "One", "Two");
        var admin = knowledge.accounts.caller(knowledge.accounts.admin());
        assertThat(letters.list(admin, false, Filter.NONE, Optional.empty(), 10))
                .isEmpty();
        var all = letters.list(admin, true, Filter.NONE, Optional.empty(), 10);
        assertThat(all).hasSize(2);
        letters.retry(admin, all.getFirst().id());
        assertThat(letters.retryAll(admin, true, Filter.NONE)).isEqualTo(1);
    }

    @Test
    void pagesGoOnWhereTheLastOneEnded() {
        dead(Fault.SERVER_ERROR, TestEmbedding.texts(5));
        var first = letters.list(owner, false, Filter.NONE, Optional.empty(), 3);
        var second = letters.list(
                owner, false, Filter.NONE, Optional.of(first.getLast().id()), 3);
        assertThat(first).hasSize(3);
        assertThat(second).hasSize(2).doesNotContainAnyElementsOf(first);
    }
}
