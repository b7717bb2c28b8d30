package io.hiroba.social.media.picture;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import javax.imageio.stream.ImageInputStreamImpl;

/**
 * An input stream with limits on time, memory and reads: a decoder that keeps asking for bytes after the end, computes
 * for too long or takes more memory than it should is stopped at its next read. A few bytes of a hostile WebP would
 * otherwise keep one busy for minutes, and some more would have it fill the heap with tables.
 */
final class BoundedStream extends ImageInputStreamImpl {

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);
    private static final int MAX_READS_AFTER_END = 64;
    private static final int CHECK_INTERVAL = 1024;

    /** A read of many bytes counts as this many at least: a decoder may do anything between two of them. */
    private static final int MIN_COUNTED = 64;

    private static final Duration MAX_CPU_TIME = Duration.ofSeconds(60);

    private final byte[] file;
    private final long maxAllocated;
    private final long timeAtStart = THREADS.getCurrentThreadCpuTime();
    private final long allocatedAtStart = THREADS.getCurrentThreadAllocatedBytes();
    private long unchecked;
    private int afterEnd;

    /** Measures the thread that makes it, which must be a platform thread and do the decoding. */
    BoundedStream(byte[] file, long maxAllocated) {
        this.file = file;
        this.maxAllocated = maxAllocated;
    }

    /** A decoder exceeded a limit. It is no IOException, since decoders swallow those. */
    static final class StoppedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        StoppedException(String message) {
            super(message, null, false, false);
        }
    }

    @Override
    public int read() {
        bitOffset = 0;
        return isAtEnd(1) ? -1 : Byte.toUnsignedInt(file[(int) streamPos++]);
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        bitOffset = 0;
        if (length == 0) {
            return 0;
        }
        if (isAtEnd(Math.max(length, MIN_COUNTED))) {
            return -1;
        }
        int count = (int) Math.min(length, file.length - streamPos);
        System.arraycopy(file, (int) streamPos, target, offset, count);
        streamPos += count;
        return count;
    }

    private boolean isAtEnd(int wanted) {
        unchecked += wanted;
        if (unchecked >= CHECK_INTERVAL) {
            unchecked = 0;
            requireWithinLimits();
        }
        if (streamPos < file.length) {
            return false;
        }
        if (++afterEnd > MAX_READS_AFTER_END) {
            throw new StoppedException("the file is read on after its end");
        }
        return true;
    }

    private void requireWithinLimits() {
        if (THREADS.getCurrentThreadCpuTime() - timeAtStart > MAX_CPU_TIME.toNanos()) {
            throw new StoppedException("decoding took too long");
        }
        if (THREADS.getCurrentThreadAllocatedBytes() - allocatedAtStart > maxAllocated) {
            throw new StoppedException("decoding took too much memory");
        }
    }

    @Override
    public long length() {
        return file.length;
    }
}
