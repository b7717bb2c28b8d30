package io.hiroba.bench.saga;

import io.hiroba.bench.InterleavedBenchmark;
import io.hiroba.bench.LoadClients;
import io.hiroba.bench.ServerProcess;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;

/**
 * The benchmark of approvals that wait: the processor time and commits of a node that has nothing to do, and the lists that show them,
 * without and with many of them.
 */
final class WaitingApprovalsBench {

    static final int APPROVALS = Math.clamp(FinishedSagas.ENDED / 10, 1_000, 100_000);
    private static final int FEW = 100;
    private static final int IDLE_SECONDS = 20;
    private static final double PAGE_SECONDS = 1;
    private static final long POLL_NANOS = 200_000_000;
    private static final List<String> PAGES = List.of(
            "/api/v1/sagas?status=WAITING",
            "/api/v1/sagas?status=WAITING&workflowName=consent",
            "/api/v1/inbox",
            "/api/v1/inbox/counts");

    private WaitingApprovalsBench() {}

    static void run() {
        try (var server = ServerProcess.ofThisBuild();
                var handle = ScheduledSagasBench.open(server)) {
            var admin = handle.createQuery("SELECT id FROM accounts.users WHERE is_admin")
                    .mapTo(Long.class)
                    .one();
            server.post(
                    "/api/v1/workflows",
                    Map.of(
                            "name",
                            "consent",
                            "steps",
                            List.of(Map.of(
                                    "name",
                                    "ask",
                                    "approval",
                                    Map.of("assignees", List.of("%016X".formatted(admin)), "title", "Agree?")))));
            measure(server, handle, admin, 1, FEW);
            measure(server, handle, admin, FEW + 1, APPROVALS);
        }
    }

    private static void measure(ServerProcess server, Handle handle, long admin, int from, int to) {
        fill(handle, admin, from, to);
        var state = "%,d approvals wait".formatted(to);
        System.err.printf("· idle for %d s, %s%n", IDLE_SECONDS, state);
        double cpu = server.cpuMillis();
        long commits = commits(handle);
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(IDLE_SECONDS));
        System.out.printf(
                "| an idle node, %s | %s | %.2f commits/s | | %.2f ms/s | |%n",
                state,
                server.name(),
                (commits(handle) - commits) / (double) IDLE_SECONDS,
                (server.cpuMillis() - cpu) / IDLE_SECONDS);
        for (var page : PAGES) {
            new InterleavedBenchmark(page + ", " + state, "requests/s")
                    .inThreeRounds()
                    .with(server.name(), server.cpu(), () -> rate(server, page))
                    .run();
        }
    }

    private static double rate(ServerProcess server, String page) {
        try (var http = server.connect()) {
            return LoadClients.rate(1, PAGE_SECONDS, number -> http.get(page));
        }
    }

    private static long commits(Handle handle) {
        return ScheduledSagasBench.count(
                handle, "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()");
    }

    /** Makes them as a driver does, and waits until the inbox has an item for each. */
    private static void fill(Handle handle, long admin, int from, int to) {
        System.err.printf("· filling %,d approvals%n", to);
        handle.createUpdate("""
                        WITH sagas AS (
                            INSERT INTO saga.saga_states (
                                id, workflow_name, workflow_version, status, payload, initiated_by, fence, waiting_for,
                                has_approvals)
                            SELECT CAST(lpad(to_hex(1710000000000 + n), 12, '0') || '7000' || '8000'
                                        || lpad(to_hex(n * 2654435761 % 281474976710656), 12, '0') AS uuid),
                                   'consent', 1, 'RUNNING', '{"order": 7}', 'bench', 1, 'ask', true
                            FROM generate_series(CAST(:from AS bigint), :to) AS n
                            RETURNING id)
                        INSERT INTO saga.approvals (id, saga_id, step_index, step_name, title, body, form, quorum)
                        SELECT :from - 1 + row_number() OVER (), id, 0, 'ask', 'Agree?', '', '[]', 1 FROM sagas
                        """).bind("from", from).bind("to", to).execute();
        handle.createUpdate("""
                        INSERT INTO saga.approval_assignees (approval_id, user_id)
                        SELECT id, :admin FROM saga.approvals WHERE id BETWEEN :from AND :to
                        """)
                .bind("admin", admin)
                .bind("from", from)
                .bind("to", to)
                .execute();
        handle.createQuery("""
                        SELECT count(saga.append_approval_event('approval-requested', id, ARRAY[CAST(:admin AS bigint)])::text)
                        FROM saga.approvals WHERE id BETWEEN :from AND :to
                        """)
                .bind("admin", admin)
                .bind("from", from)
                .bind("to", to)
                .mapTo(Long.class)
                .one();
        while (ScheduledSagasBench.count(handle, "SELECT count(*) FROM inbox.notifications WHERE state = 0") < to) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        handle.execute("VACUUM ANALYZE saga.saga_states, saga.approvals, saga.approval_assignees, inbox.notifications");
    }
}
