package io.hiroba.knowledge.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.AiUsage.DayOfModel;
import io.hiroba.knowledge.embedding.ModelUsage.ModelUse;
import io.hiroba.testkit.SettableClock;
import io.hiroba.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class ModelUsageTest {

    @Test
    void nodesAddUpWhatModelsWereAskedOnADay() throws Exception {
        try (var database = TestDatabase.create()) {
            var db = database.db();
            var clock = new SettableClock(Instant.parse("2026-06-01T23:59:00Z"));
            var nodes = new ArrayList<Callable<Boolean>>();
            for (int node = 0; node < 2; node++) {
                var usage = new ModelUsage(db, clock);
                for (int call = 0; call < 50; call++) {
                    usage.called(ModelUse.CHAT, "large");
                    usage.tokens(ModelUse.CHAT, "large", 100, 10);
                    usage.called(ModelUse.EMBEDDING, "small");
                    usage.tokens(ModelUse.EMBEDDING, "small", -5, 0);
                }
                nodes.add(() -> {
                    usage.flush();
                    usage.flush();
                    return true;
                });
            }
            try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (var done : threads.invokeAll(nodes)) {
                    assertThat(done.get()).isTrue();
                }
            }
            clock.advance(Duration.ofMinutes(2));
            var later = new ModelUsage(db, clock);
            later.called(ModelUse.CHAT, "large");
            later.flush();
            var first = LocalDate.parse("2026-06-01");
            var days = db.read(reads -> new ModelUsageStore().since(reads, first));
            assertThat(days)
                    .containsExactly(
                            new DayOfModel(first.plusDays(1), "chat", "large", 1, 0, 0),
                            new DayOfModel(first, "chat", "large", 100, 10_000, 1_000),
                            new DayOfModel(first, "embedding", "small", 100, 0, 0));
        }
    }
}
