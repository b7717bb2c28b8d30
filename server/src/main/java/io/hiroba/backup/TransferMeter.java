package io.hiroba.backup;

import io.hiroba.platform.SystemCheck;
import io.hiroba.platform.i18n.Text;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts the bytes of a transfer, keeps it below a speed and says now and then how far it is. */
final class TransferMeter {

    private static final long SAY_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long MAX_PAUSE_MILLIS = 1000;

    /** Written between two looks at what is left of the disk. */
    private static final long LOOK_BYTES = 16L << 20;

    private final Consumer<Text> progress;
    private final long bytesPerSecond;
    private long begun;
    private long said;
    private long bytes;
    private DiskReserve reserve = DiskReserve.NONE;
    private @Nullable Path target;
    private long unlooked;

    /** @param bytesPerSecond 0 for as fast as it goes */
    TransferMeter(Consumer<Text> progress, long bytesPerSecond) {
        this.progress = progress;
        this.bytesPerSecond = bytesPerSecond;
    }

    /** Ends the transfer, in the middle of a file too, when less is left of the disk of a folder. */
    void keepFree(DiskReserve reserve, Path target) {
        this.reserve = reserve;
        this.target = target;
    }

    void add(long more) {
        unlooked += more;
        if (target != null && unlooked >= LOOK_BYTES) {
            unlooked = 0;
            reserve.require(target);
        }
        long now = System.nanoTime();
        if (bytes == 0) {
            // Not before: a database makes a checkpoint first, which is no part of the speed, and no credit for going
            // faster.
            begun = now;
            said = now;
        }
        bytes += more;
        if (now - said > SAY_NANOS) {
            said = now;
            progress.accept(Text.of("backup.progress", "size", SystemCheck.size(bytes), "speed", SystemCheck.size((long)
                    (bytes / ((now - begun) / 1e9)))));
        }
        if (bytesPerSecond > 0) {
            pauseUntil(begun + (long) (bytes * 1e9 / bytesPerSecond));
        }
    }

    private static void pauseUntil(long time) {
        try {
            for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
                Thread.sleep(Math.clamp(left / 1_000_000, 1, MAX_PAUSE_MILLIS));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackupException(Text.of("backup.problem.stopped"));
        }
    }
}
