package io.hiroba.embedded;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The server's settings, written anew at each start as {@code hiroba.conf} in the database's folder.
 *
 * <p>{@code ALTER SYSTEM} wins over them, so an operator's tuning stays.
 */
final class Settings {
    static final String FILE = "hiroba.conf";

    /** The setting that says how many locks there is room for. */
    static final String LOCKS = "max_locks_per_transaction";

    static final String MAX_LOCKS = "512";

    private static final long MEGABYTE = 1 << 20;
    private static final long SMALLEST_BUFFERS = 128 * MEGABYTE;
    private static final long LARGEST_BUFFERS = 2048 * MEGABYTE;

    private Settings() {}

    static String text(PgHome home, boolean durable, LogLimits logs) {
        return all(home, durable, logs).entrySet().stream()
                .map(setting -> setting.getKey() + " = '" + setting.getValue() + "'\n")
                .collect(
                        Collectors.joining("", "# Written by Hiroba at each start. Use ALTER SYSTEM to differ.\n", ""));
    }

    /** An eighth of the machine's memory, so that much stays for the program itself and for the system's own cache. */
    static String sharedBuffers(long memory) {
        return Math.clamp(memory / 8, SMALLEST_BUFFERS, LARGEST_BUFFERS) / MEGABYTE + "MB";
    }

    /** What this machine, or the container that this runs in, has. */
    private static long memory() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : 0;
    }

    private static Map<String, String> all(PgHome home, boolean durable, LogLimits logs) {
        String promise = durable ? "on" : "off";
        var settings = new LinkedHashMap<String, String>();
        settings.put("fsync", promise);
        settings.put("synchronous_commit", promise);
        settings.put("full_page_writes", promise);
        settings.put("shared_buffers", durable ? sharedBuffers(memory()) : "256MB");
        settings.put("max_connections", durable ? "200" : "400");
        // Dumps, backups and some migrations lock the tables and indexes of all projects of records in one transaction.
        settings.put(LOCKS, MAX_LOCKS);
        settings.put("min_wal_size", durable ? "256MB" : "80MB");
        settings.put("max_wal_size", "2GB");
        // An archive that cannot be reached must not fill the disk.
        settings.put("max_slot_wal_keep_size", "10GB");
        settings.put("random_page_cost", "1.1");
        settings.put("effective_cache_size", "1GB");
        settings.put("work_mem", "8MB");
        settings.put("maintenance_work_mem", "256MB");
        // CVE-2026-3172: pgvector before 0.8.2, which Debian 13 has, overflows a buffer when an HNSW index is built in
        // parallel.
        settings.put("max_parallel_maintenance_workers", "0");
        // Index-only scans live by the visibility map: hot tables are visited early and often.
        settings.put("autovacuum_naptime", "20s");
        settings.put("autovacuum_vacuum_scale_factor", "0.05");
        settings.put("autovacuum_analyze_scale_factor", "0.05");
        settings.put("autovacuum_vacuum_insert_scale_factor", "0.05");
        settings.put("autovacuum_vacuum_cost_limit", "1000");
        settings.put("timezone", "UTC");
        settings.put("log_timezone", "UTC");
        settings.put("lc_messages", "C");
        settings.put("logging_collector", "on");
        settings.put("log_directory", "log");
        settings.put("log_filename", "postgresql-%Y%m%d-%H%M%S.log");
        settings.put("log_rotation_size", logs.rotationSize());
        settings.put("log_rotation_age", "0");
        if (Files.exists(home.module("pg_stat_statements"))) {
            settings.put("shared_preload_libraries", "pg_stat_statements");
        }
        return settings;
    }
}
