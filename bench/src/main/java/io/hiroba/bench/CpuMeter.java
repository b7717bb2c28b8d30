package io.hiroba.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Measures the processor time of a program and of its databases, as Linux tells it. */
public final class CpuMeter {

    /** The unit of {@code /proc/<pid>/stat} on every Linux. */
    private static final double TICK_MILLIS = 10;

    private static final int USER = 11;
    private static final int CHILDREN_SYSTEM = 14;
    private static final Set<Long> OWN_DATABASES = ConcurrentHashMap.newKeySet();

    private final Set<Long> programs;
    private final Set<Long> databases;

    /** @param databases the first process of each PostgreSQL server */
    private CpuMeter(Set<Long> programs, Set<Long> databases) {
        this.programs = programs;
        this.databases = databases;
    }

    /** Counts a database that this program has started as its own. */
    static void include(long database) {
        OWN_DATABASES.add(database);
    }

    /** This program, its clients included, and the databases that it has started. */
    public static CpuMeter ofThisProgram() {
        return new CpuMeter(Set.of(ProcessHandle.current().pid()), OWN_DATABASES);
    }

    /** Servers in processes of their own, and their databases. */
    public static CpuMeter of(Set<Long> servers, Set<Long> databases) {
        return new CpuMeter(servers, databases);
    }

    /** The same with this program, for comparing with work that is done inside it. */
    public CpuMeter withThisProgram() {
        var all = new HashSet<>(programs);
        all.add(ProcessHandle.current().pid());
        return new CpuMeter(all, databases);
    }

    /** The milliseconds so far; not a number where the system does not tell. */
    double millis() {
        if (!Files.exists(Path.of("/proc/self/stat"))) {
            return Double.NaN;
        }
        long ticks = programs.stream().mapToLong(CpuMeter::ticks).sum();
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
