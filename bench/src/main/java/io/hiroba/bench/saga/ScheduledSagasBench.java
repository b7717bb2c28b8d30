package io.hiroba.bench.saga;

import io.hiroba.bench.ServerProcess;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** The benchmark of schedules that are due at the same moment: the time until all of their sagas are started, and until all wait. */
final class ScheduledSagasBench {

    static final int SCHEDULES = Math.clamp(FinishedSagas.ENDED / 100, 100, 10_000);
    private static final long POLL_NANOS = 20_000_000;

    private ScheduledSagasBench() {}

    static void run() {
        try (var server = ServerProcess.ofThisBuild();
                var handle = open(server)) {
            server.post(
                    "/api/v1/workflows",
                    Map.of("name", "report", "steps", List.of(Map.of("name", "wait", "waitForSignal", "go"))));
            measure(server, handle, "cold");
            handle.execute("DELETE FROM saga.schedules WHERE name LIKE 'due %'");
            measure(server, handle, "warm");
        }
    }

    static Handle open(ServerProcess server) {
        var database = server.database();
        return Jdbi.create(
                        "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(database.port()),
                        database.user(),
                        database.password())
                .open();
    }

    private static void measure(ServerProcess server, Handle handle, String name) {
        System.err.printf("· %,d schedules that are due at once%n", SCHEDULES);
        long sagas = count(handle, "SELECT count(*) FROM saga.saga_states");
        handle.createUpdate("""
                        INSERT INTO saga.schedules (
                            id, name, workflow_name, every_ms, time_zone, payload, overlap, catch_up, window_ms, next_at,
                            created_by)
                        SELECT n, 'due ' || n, 'report', 86400000, 'UTC', '{"pages": 3}', 'SKIP', 'NONE', 86400000,
                               now() + interval '3 s', (SELECT lpad(upper(to_hex(id)), 16, '0') FROM accounts.users WHERE is_admin LIMIT 1)
                        FROM generate_series(1, :count) AS n
                        """).bind("count", SCHEDULES).execute();
        handle.execute("ANALYZE saga.schedules");
        // Rows that appear so tell nobody: one that is made through the API wakes the node.
        server.post(
                "/api/v1/schedules",
                Map.of("name", "last, " + name, "workflow", "report", "every", "P366D", "timeZone", "UTC"));
        double cpu = server.cpuMillis();
        long due = System.nanoTime() + (long) (1e9 * seconds(handle));
        double started = await(handle, due, "SELECT count(*) FROM saga.schedule_runs", SCHEDULES);
        double waiting = await(
                handle, due, "SELECT count(*) FROM saga.saga_states WHERE waiting_for IS NOT NULL", sagas + SCHEDULES);
        cpu = server.cpuMillis() - cpu;
        var work = "%,d schedules due at once, %s".formatted(SCHEDULES, name);
        System.out.printf("| %s: until all sagas are started | %s | %.2f s | | |%n", work, server.name(), started);
        System.out.printf(
                "| %s: until all wait for their signal | %s | %.2f s | | %.2f ms | |%n",
                work, server.name(), waiting, cpu / SCHEDULES);
    }

    /** The time until the first is due. */
    private static double seconds(Handle handle) {
        return handle.createQuery("SELECT extract(epoch FROM min(next_at) - clock_timestamp()) FROM saga.schedules")
                .mapTo(Double.class)
                .one();
    }

    private static double await(Handle handle, long since, String query, long wanted) {
        while (count(handle, query) < wanted) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        return (System.nanoTime() - since) / 1e9;
    }

    static long count(Handle handle, String query) {
        return handle.createQuery(query).mapTo(Long.class).one();
    }
}
