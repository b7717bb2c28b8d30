package io.hiroba.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Measures the processor time of a program and of its databases, as Linux tells it. */
public final class CpuMeter {

    /** The unit of {@code /proc/<pid>/stat} on every Linux. */
    private static final double TICK_MILLIS = 10;

    private static final int USER = 11;
    private static final int CHILDREN_SYSTEM = 14;
    private static final Set<Long> OWN_DATABASES = ConcurrentHashMap.newKeySet();

    private final long program;
    private final Set<Long> databases;

    /** @param databases the first process of each PostgreSQL server */
    private CpuMeter(long program, Set<Long> databases) {
        this.program = program;
        this.databases = databases;
    }

    /** Counts a database that this program has started as its own. */
    static void include(long database) {
        OWN_DATABASES.add(database);
    }

    /** This program, its clients included, and the databases that it has started. */
    public static CpuMeter ofThisProgram() {
        return new CpuMeter(ProcessHandle.current().pid(), OWN_DATABASES);
    }

    /** A server in a process of its own, and its database. */
    static CpuMeter of(long server, long database) {
        return new CpuMeter(server, Set.of(database));
    }

    /** The milliseconds so far; not a number where the system does not tell. */
    double millis() {
        if (!Files.exists(Path.of("/proc/self/stat"))) {
            return Double.NaN;
        }
        long ticks = ticks(program);
        for (long database : databases) {
            ticks += ticks(database);
            var connections = ProcessHandle.of(database).stream()
                    .flatMap(ProcessHandle::children)
                    .toList();
            for (var connection : connections) {
                ticks += ticks(connection.pid());
            }
        }
        return ticks * TICK_MILLIS;
    }

    /** Those of the process and of its children that have ended; none of one that is gone. */
    private static long ticks(long process) {
        String text;
        try {
            text = Files.readString(Path.of("/proc", String.valueOf(process), "stat"));
        } catch (IOException gone) {
            return 0;
        }
        // The second field is the program's name in brackets, which may hold spaces.
        var fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
        long ticks = 0;
        for (int field = USER; field <= CHILDREN_SYSTEM; field++) {
            ticks += Long.parseLong(fields[field]);
        }
        return ticks;
    }
}
