package io.hiroba.social.search;

import io.hiroba.testkit.GoldenStatements;
import org.junit.jupiter.api.Test;

/** The statement of a search as the database gets it. */
class PostSearchStatementTest {

    @Test
    void theStatementIsThatOfTheGoldenFile() {
        GoldenStatements.check("social", "post-search", PostSearchStore.PAGE);
    }
}
