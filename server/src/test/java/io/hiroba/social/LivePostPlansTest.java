package io.hiroba.social;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.platform.db.Query;
import io.hiroba.platform.db.Reads;
import io.hiroba.testkit.LargeSquare;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is asked every second reads what is new, however much there is. */
@Tag("slow")
class LivePostPlansTest {

    private static final long LATELY = LargeSquare.id(10_049_990);
    private static final TestDatabase database = LargeSquare.create();

    @AfterAll
    static void close() {
        database.close();
    }

    @Test
    void newRootsAreReadFromTheirIndex() {
        assertReadsLittle(reads -> LivePostStore.roots(reads, Plan.LEAD, LATELY, 200));
    }

    @Test
    void whatCameIntoHomesIsReadFromTheIndexOfTimelines() {
        var readers = List.of(LargeSquare.FOLLOWER, LargeSquare.QUIET, LargeSquare.id(100));
        assertReadsLittle(reads -> LivePostStore.delivered(reads, Plan.LEAD, readers, LATELY, 200));
    }

    private static void assertReadsLittle(Function<Reads, Query> explained) {
        for (boolean generic : List.of(false, true)) {
            var plan = Plan.of(database.db(), generic, explained);
            assertThat(plan.scannedThrough(Set.of("posts", "timelines"), 0))
                    .as(plan.toString())
                    .isEmpty();
            assertThat(plan.entriesPassed()).as(plan.toString()).isLessThan(100);
        }
    }
}
