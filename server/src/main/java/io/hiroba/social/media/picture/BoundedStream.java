package io.hiroba.social.media.picture;

import java.time.Duration;
import javax.imageio.stream.ImageInputStreamImpl;

/**
 * A file for a decoder to read, but not for ever: a decoder that keeps asking for bytes after the end, or that takes too
 * long, is stopped. A few bytes of a hostile WebP would otherwise keep one busy for minutes.
 */
final class BoundedStream extends ImageInputStreamImpl {

    private static final int MOST_AFTER_END = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final byte[] file;
    private final long deadline = System.nanoTime() + PATIENCE.toNanos();
    private int afterEnd;

    BoundedStream(byte[] file) {
        this.file = file;
    }

    /** The decoder is not to go on. It is no IOException, since decoders make light of those. */
    static final class StoppedException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        StoppedException(String message) {
            super(message, null, false, false);
        }
    }

    @Override
    public int read() {
        bitOffset = 0;
        return isAtEnd() ? -1 : Byte.toUnsignedInt(file[(int) streamPos++]);
    }

    @Override
    public int read(byte[] target, int offset, int length) {
        bitOffset = 0;
        if (length == 0) {
            return 0;
        }
        if (isAtEnd()) {
            return -1;
        }
        int count = (int) Math.min(length, file.length - streamPos);
        System.arraycopy(file, (int) streamPos, target, offset, count);
        streamPos += count;
        return count;
    }

    private boolean isAtEnd() {
        if (System.nanoTime() - deadline > 0) {
            throw new StoppedException("decoding took too long");
        }
        if (streamPos < file.length) {
            return false;
        }
        if (++afterEnd > MOST_AFTER_END) {
            throw new StoppedException("the file is read on after its end");
        }
        return true;
    }

    @Override
    public long length() {
        return file.length;
    }
}
