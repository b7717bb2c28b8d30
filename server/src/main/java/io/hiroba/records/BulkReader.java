package io.hiroba.records;

import io.hiroba.platform.id.Sha256;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Reads the lines of a bulk request in batches, which are the same whenever the same request is read. */
final class BulkReader implements Closeable {

    /** As long as a record may be in a request of its own. */
    private static final int MAX_LINE = 8 << 20;

    /** A batch ends after so many bytes, however few lines it has. */
    private static final int BATCH_BYTES = 4 << 20;

    private static final byte[] MARK = "\uFEFF".getBytes(StandardCharsets.UTF_8);

    private final InputStream in;
    private final int size;
    private long number;
    private int index;

    /** @param size the most lines of a batch */
    BulkReader(Path file, int size) throws IOException {
        this.in = new BufferedInputStream(Files.newInputStream(file), 64 * 1024);
        this.size = size;
    }

    /**
     * Some lines that follow each other and are written in one transaction.
     *
     * @param index of the batch, from 0
     * @param hash of the bytes
     * @param last whether nothing follows
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Batch(int index, List<BulkLine> lines, byte[] hash, boolean last) {

        Batch {
            lines = List.copyOf(lines);
        }
    }

    /** The next lines. Empty ones count, and are passed over. */
    Batch next() throws IOException {
        var lines = new ArrayList<BulkLine>();
        var hash = Sha256.digest();
        long bytes = 0;
        boolean last = false;
        var text = new ByteArrayOutputStream();
        while (lines.size() < size && bytes < BATCH_BYTES) {
            text.reset();
            long length = 0;
            int c = in.read();
            if (c < 0) {
                last = true;
                break;
            }
            for (; c >= 0 && c != '\n'; c = in.read()) {
                length++;
                hash.update((byte) c);
                if (length <= MAX_LINE) {
                    text.write(c);
                }
            }
            hash.update((byte) '\n');
            bytes += length;
            number++;
            var line = number == 1 ? withoutMark(text.toByteArray()) : text.toByteArray();
            if (length > MAX_LINE) {
                lines.add(BulkLine.tooLong(number, MAX_LINE));
            } else if (!isBlank(line)) {
                lines.add(BulkLine.of(number, line));
            }
        }
        return new Batch(index++, lines, hash.digest(), last);
    }

    /** Without the byte order mark that some editors begin a file with. */
    private static byte[] withoutMark(byte[] line) {
        return Arrays.mismatch(line, MARK) >= MARK.length ? Arrays.copyOfRange(line, MARK.length, line.length) : line;
    }

    private static boolean isBlank(byte[] line) {
        for (byte each : line) {
            if (each != ' ' && each != '\t' && each != '\r') {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
