package io.hiroba.knowledge;

import io.hiroba.testkit.GoldenStatements;
import org.junit.jupiter.api.Test;

/** The statements of the list of sources as they are sent. */
class SourceStatementsTest {

    private static void check(String name, Sources.Filter filter) {
        GoldenStatements.check("knowledge", name, SourceStore.listSql(filter));
    }

    @Test
    void aListContainsOnlyTheFiltersThatAreGiven() {
        check("sources-all", Sources.Filter.ALL);
        check("sources-mine", new Sources.Filter(null, true));
        check("sources-of-a-type", new Sources.Filter(SourceType.POST, false));
        check("sources-mine-of-a-type", new Sources.Filter(SourceType.POST, true));
    }
}
