package io.hiroba.system;

import io.hiroba.platform.Platform;
import io.hiroba.platform.ProgramVersion;
import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.SystemCheck.Group;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.id.WorkerLease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The state of this node, and of the others by their leases of worker numbers. */
final class NodeChecks {

    private static final long LITTLE_SPACE = 2_000_000_000L;

    private final Platform platform;
    private final WorkerLease lease;
    private final ReleaseCheck releases;

    NodeChecks(Platform platform, WorkerLease lease, ReleaseCheck releases) {
        this.platform = platform;
        this.lease = lease;
        this.releases = releases;
    }

    List<SystemCheck> look() {
        var runtime = ManagementFactory.getRuntimeMXBean();
        var lines = new ArrayList<>(List.of(
                line("version", Text.of("system.version"), Text.verbatim(ProgramVersion.CURRENT)),
                line("java", Text.verbatim("Java"), Text.verbatim(Runtime.version() + " · " + runtime.getVmVendor())),
                line("uptime", Text.of("system.uptime"), SystemCheck.duration(Duration.ofMillis(runtime.getUptime()))),
                memory(),
                machineMemory(),
                disk(),
                tracing()));
        releases.look().ifPresent(line -> lines.add(1, line));
        return lines;
    }

    private SystemCheck tracing() {
        var label = Text.of("system.tracing");
        if (!platform.tracing().isOn()) {
            return line("tracing", label, Text.of("system.tracing-off"));
        }
        var spans = platform.tracing().counts();
        return line(
                        "tracing",
                        label,
                        Text.of(
                                "system.tracing-on",
                                "exported",
                                spans.exported(),
                                "dropped",
                                spans.dropped(),
                                "failed",
                                spans.failed()))
                .adviseIf(spans.dropped() + spans.failed() > 0, Text.of("system.tracing-advice"));
    }

    private static SystemCheck memory() {
        var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        return line(
                        "memory",
                        Text.of("system.memory"),
                        Text.of(
                                "system.used-of",
                                "used",
                                SystemCheck.size(heap.getUsed()),
                                "all",
                                SystemCheck.size(heap.getMax())))
                .adviseIf(heap.getUsed() > heap.getMax() / 10 * 9, Text.of("system.memory-advice"));
    }

    /** The system says how much it could still hand out, which counts what it only keeps as a cache. */
    static SystemCheck machineMemory() {
        long available = kilobytes("MemAvailable") * 1024;
        long all = kilobytes("MemTotal") * 1024;
        return line(
                        "machine-memory",
                        Text.of("system.machine-memory"),
                        Text.of("system.free-of", "free", SystemCheck.size(available), "all", SystemCheck.size(all)))
                .adviseIf(available < all / 20, Text.of("system.machine-memory-advice"));
    }

    private static long kilobytes(String name) {
        try (var lines = Files.lines(Path.of("/proc/meminfo"))) {
            return lines.filter(line -> line.startsWith(name + ":"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }

    private SystemCheck disk() {
        try {
            var store = Files.getFileStore(platform.data());
            long free = store.getUsableSpace();
            return line(
                            "disk",
                            Text.of("system.disk", "folder", platform.data()),
                            Text.of(
                                    "system.free-of",
                                    "free",
                                    SystemCheck.size(free),
                                    "all",
                                    SystemCheck.size(store.getTotalSpace())))
                    .adviseIf(free < LITTLE_SPACE || free < store.getTotalSpace() / 20, Text.of("system.disk-advice"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<SystemCheck> nodes() {
        return lease.holders().stream()
                .map(holder -> SystemCheck.of(
                                Group.NODES,
                                "node." + holder.worker(),
                                holder.isThis()
                                        ? Text.of("system.this-node", "number", holder.worker())
                                        : Text.of("system.node", "number", holder.worker()),
                                Text.of("system.renewed", "time", SystemCheck.duration(holder.sinceRenewal())))
                        .adviseIf(holder.isLate(), Text.of("system.node-advice")))
                .toList();
    }

    private static SystemCheck line(String code, Text label, Text value) {
        return SystemCheck.of(Group.NODE, code, label, value);
    }
}
