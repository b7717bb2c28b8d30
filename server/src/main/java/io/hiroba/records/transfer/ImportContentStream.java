package io.hiroba.records.transfer;

import io.hiroba.platform.db.Db;
import java.io.InputStream;
import java.util.Objects;

/** An uploaded file as a stream, with one part in memory at a time. */
final class ImportContentStream extends InputStream {

    private final Db db;
    private final ImportId id;
    private final Runnable beat;
    private final ImportContentStore store = new ImportContentStore();
    private byte[] part = {};
    private int next;
    private long begun;

    /** @param beat called with every part, to renew the claim */
    ImportContentStream(Db db, ImportId id, Runnable beat) {
        this.db = db;
        this.id = id;
        this.beat = beat;
    }

    /** The number of bytes read. */
    long position() {
        return begun + next;
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
            begun += part.length;
            next = 0;
            beat.run();
            part = db.read(reads -> store.read(reads, id, begun));
        }
        return part.length == 0;
    }
}
