package io.hiroba.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.hiroba.accounts.UserId;
import io.hiroba.testkit.Plan;
import io.hiroba.testkit.TestDatabase;
import io.hiroba.webhooks.OutgoingDelivery.Status;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The plans of the lists: one index scan each, without a sort, however long the log is. */
class WebhookPlansTest {

    private static final Set<String> TABLES = Set.of("webhooks", "deliveries", "queues");

    @Test
    void listsAreOneIndexScan() {
        try (var database = TestDatabase.create()) {
            var db = database.db();
            db.useTransaction(tx -> {
                // Without accounts, which do not matter here.
                tx.update("SET LOCAL session_replication_role = replica").execute();
                tx.update("""
                        INSERT INTO webhooks.webhooks (id, user_id, url, events, starts_after)
                        SELECT n, n % 10, 'https://example.org/', '{post.*}', 0 FROM generate_series(1, 2000) AS n
                        """).execute();
                tx.update("""
                        INSERT INTO webhooks.deliveries (id, webhook_id, event_id, type, key, queue, status)
                        SELECT n, n % 5 + 1, n, 'post.created', n::text, n::text,
                               CASE WHEN n % 100 = 0 THEN 'pending' ELSE 'delivered' END
                        FROM generate_series(1, 20000) AS n
                        """).execute();
                tx.update("""
                        INSERT INTO webhooks.queues (webhook_id, queue, due_at)
                        SELECT CASE WHEN n <= 20000 THEN 1 ELSE 2 END, n::text, now() - n * interval '1 ms'
                        FROM generate_series(1, 20010) AS n
                        """).execute();
            });
            db.useTransaction(tx -> TABLES.forEach(
                    table -> tx.update("ANALYZE webhooks." + table).execute()));
            for (boolean generic : List.of(false, true)) {
                var own = Plan.of(
                        db, generic, reads -> WebhookStore.list(reads, Plan.LEAD, new UserId(3), Long.MAX_VALUE, 20));
                var log = Plan.of(
                        db, generic, reads -> DeliveryQueueStore.list(reads, Plan.LEAD, 3, null, Long.MAX_VALUE, 20));
                var failed = Plan.of(
                        db,
                        generic,
                        reads -> DeliveryQueueStore.list(reads, Plan.LEAD, 3, Status.DELIVERED, Long.MAX_VALUE, 20));
                var claim = Plan.of(
                        db,
                        generic,
                        reads -> DeliveryQueueStore.claim(reads, Plan.LEAD, -1, List.of(1L), Duration.ofMinutes(1)));
                for (var plan : List.of(own, log, failed, claim)) {
                    assertThat(plan.scannedThrough(TABLES, 0))
                            .as(plan.toString())
                            .isEmpty();
                    assertThat(plan.largestSort()).as(plan.toString()).isZero();
                    assertThat(plan.entriesPassed()).as(plan.toString()).isLessThan(60);
                }
            }
        }
    }
}
