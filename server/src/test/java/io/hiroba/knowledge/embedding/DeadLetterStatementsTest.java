package io.hiroba.knowledge.embedding;

import io.hiroba.accounts.UserId;
import io.hiroba.knowledge.SourceId;
import io.hiroba.knowledge.embedding.DeadLetters.Filter;
import io.hiroba.testkit.GoldenStatements;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The statements of the lists of dead letters as they are sent. */
class DeadLetterStatementsTest {

    private static final Optional<UserId> OWNER = Optional.of(new UserId(1));
    private static final Filter FILTERED = new Filter(new SourceId(1), "SERVER_ERROR");

    private static void check(String name, String sql) {
        GoldenStatements.check("knowledge", name, sql);
    }

    @Test
    void aListContainsOnlyTheFiltersThatAreGiven() {
        check("dead-letters-all", DeadLetterStore.listSql(Optional.empty(), Filter.NONE));
        check("dead-letters-of-owner", DeadLetterStore.listSql(OWNER, Filter.NONE));
        check("dead-letters-of-owner-filtered", DeadLetterStore.listSql(OWNER, FILTERED));
    }

    @Test
    void aRetryOfOneSourceIncludesDismissedEntries() {
        check("dead-letters-retriable", DeadLetterStore.retriableSql(OWNER, Filter.NONE));
        check("dead-letters-retriable-of-a-source", DeadLetterStore.retriableSql(OWNER, FILTERED));
    }
}
