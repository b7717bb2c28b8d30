package io.hiroba.knowledge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.KnowledgeCollections.CollectionId;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestKnowledge;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A page of sources is read from indexes, whoever asks and whatever for. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SourceListPlanTest {

    private static final int LIMIT = 21;
    private static final int SOURCES = 20_000;

    private final TestKnowledge knowledge = new TestKnowledge();
    private UserId some = new UserId(0);
    private UserId none = new UserId(0);
    private final CollectionId team = new CollectionId(1);

    @BeforeAll
    void fill() {
        some = knowledge.accounts.user("Some");
        none = knowledge.accounts.user("None");
        knowledge.db.useTransaction(tx -> tx.update("""
                INSERT INTO knowledge.collections (id, owned_by, name, visibility, created_at)
                VALUES (:team, :some, 'Team', 'public', now())
                """)
                .bind("team", team.value())
                .bind("some", some.value())
                .execute());
        knowledge.db.useTransaction(tx -> tx.update("""
                INSERT INTO knowledge.knowledge_sources (id, owned_by, is_public, type, title, collection_id)
                SELECT n, CASE WHEN n % 100 = 0 THEN :some ELSE :other END, n % 3 = 0,
                       CASE WHEN n % 1000 = 0 THEN 'web_page' ELSE 'note' END::knowledge.source_type_enum, 'Note ' || n,
                       CASE WHEN n % 3 = 1 THEN 1 END
                FROM generate_series(1, :sources) AS n
                """)
                .bind("some", some.value())
                .bind("other", knowledge.accounts.user("Other").value())
                .bind("sources", SOURCES)
                .execute());
        knowledge.db.useTransaction(
                tx -> tx.update("ANALYZE knowledge.knowledge_sources").execute());
    }

    @AfterAll
    void end() {
        knowledge.close();
    }

    @Test
    void aPageIsReadFromIndexes() {
        for (var filter : List.of(
                Sources.Filter.ALL,
                new Sources.Filter(null, true),
                new Sources.Filter(SourceType.WEB_PAGE, false),
                new Sources.Filter(SourceType.WEB_PAGE, true),
                new Sources.Filter(SourceType.POST, false),
                new Sources.Filter(null, false, team),
                new Sources.Filter(SourceType.WEB_PAGE, true, team))) {
            for (var caller : List.of(some, none)) {
                for (boolean generic : List.of(false, true)) {
                    var plan = Plan.of(
                            knowledge.db,
                            generic,
                            reads -> SourceStore.list(
                                    reads,
                                    Plan.LEAD + SourceStore.listSql(filter),
                                    knowledge.accounts.caller(caller),
                                    filter,
                                    Long.MAX_VALUE,
                                    LIMIT));
                    assertThat(plan.scannedThrough(Set.of("knowledge_sources"), LIMIT))
                            .as("%s %s", filter, plan)
                            .isEmpty();
                    assertThat(plan.rowsReadOf("knowledge_sources"))
                            .as("%s %s", filter, plan)
                            .isLessThan(6 * LIMIT);
                }
            }
        }
    }
}
