package io.hiroba.records;

import io.hiroba.platform.http.Json;
import io.hiroba.testkit.TestRecords;

/** Computed attributes of {@link TestRecords}, for tests of other packages. */
public final class TestComputations {

    private TestComputations() {}

    /** Adds an attribute that is computed as {@code definition} says, JSON with single quotes for double ones. */
    public static void add(TestRecords test, ProjectAccess owner, String schema, String name, String definition) {
        new Computations(test.db, test.catalog)
                .add(
                        owner,
                        schema,
                        name,
                        Json.mapper().treeToValue(TestRecords.json(definition), ComputedDefinition.class),
                        null);
    }

    /** Computes what is still to be computed. */
    public static void runAll(TestRecords test) {
        new ComputationWorker(test.db, test.projects, test.catalog).runAll();
    }
}
