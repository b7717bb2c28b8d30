package io.hiroba.records.transfer;

import io.hiroba.platform.db.Db;
import java.io.InputStream;
import java.util.Objects;

/** An uploaded file as a stream, with one part in memory at a time. */
final class ImportContentStream extends InputStream {

    private final Db db;
    private final ImportId id;
    private final Runnable heartbeat;
    private final ImportContentStore store = new ImportContentStore();
    private byte[] part = {};
    private int next;
    private long partStart;

    /** @param heartbeat called with every part, to renew the claim */
    ImportContentStream(Db db, ImportId id, Runnable heartbeat) {
        this.db = db;
        this.id = id;
        this.heartbeat = heartbeat;
    }

    /** The number of bytes read. */
    long position() {
        return partStart + next;
    }

    @Override
    public int read() {
        return isAtEnd() ? -1 : part[next++] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, buffer.length);
        if (length == 0) {
            return 0;
        }
        if (isAtEnd()) {
            return -1;
        }
        int count = Math.min(length, part.length - next);
        System.arraycopy(part, next, buffer, offset, count);
        next += count;
        return count;
    }

    private boolean isAtEnd() {
        if (next == part.length) {
            partStart += part.length;
            next = 0;
            heartbeat.run();
            part = db.read(reads -> store.read(reads, id, partStart));
        }
        return part.length == 0;
    }
}
