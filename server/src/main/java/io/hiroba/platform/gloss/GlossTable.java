package io.hiroba.platform.gloss;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file of words and their English glosses, sorted, searched where it lies: the system's page cache holds it, and not
 * the heap.
 */
final class GlossTable {

    private static final int MAGIC = 0x4852_4731;
    private static final int MAX_BYTES = 255;

    private final ByteBuffer file;
    private final int count;

    private GlossTable(ByteBuffer file, int count) {
        this.file = file;
        this.count = count;
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Entry(byte[] word, byte[] gloss) {}

    /** Writes {@code glosses}; words and glosses that are too long for the table are left out. */
    static void write(Path path, Map<String, String> glosses) throws IOException {
        List<Entry> entries = glosses.entrySet().stream()
                .map(entry -> new Entry(bytes(entry.getKey()), bytes(entry.getValue())))
                .filter(entry -> entry.word().length <= MAX_BYTES && entry.gloss().length <= MAX_BYTES)
                .sorted((one, other) -> Arrays.compareUnsigned(one.word(), other.word()))
                .toList();
        try (var out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(path)))) {
            out.writeInt(MAGIC);
            out.writeInt(entries.size());
            int offset = 8 + 4 * entries.size();
            for (var entry : entries) {
                out.writeInt(offset);
                offset += 2 + entry.word().length + entry.gloss().length;
            }
            for (var entry : entries) {
                out.writeByte(entry.word().length);
                out.writeByte(entry.gloss().length);
                out.write(entry.word());
                out.write(entry.gloss());
            }
        }
    }

    static GlossTable open(Path path) throws IOException {
        try (var channel = FileChannel.open(path, StandardOpenOption.READ)) {
            var file = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
            if (file.remaining() < 8 || file.getInt(0) != MAGIC) {
                throw new IOException(path + " is no table of glosses");
            }
            return new GlossTable(file, file.getInt(4));
        }
    }

    int size() {
        return count;
    }

    Optional<String> gloss(String word) {
        var wanted = bytes(word);
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = compare(middle, wanted);
            if (order == 0) {
                return Optional.of(text(middle));
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return Optional.empty();
    }

    private int compare(int entry, byte[] wanted) {
        int at = file.getInt(8 + 4 * entry);
        int length = file.get(at) & 0xff;
        for (int i = 0; i < Math.min(length, wanted.length); i++) {
            int order = (file.get(at + 2 + i) & 0xff) - (wanted[i] & 0xff);
            if (order != 0) {
                return order;
            }
        }
        return length - wanted.length;
    }

    private String text(int entry) {
        int at = file.getInt(8 + 4 * entry);
        var gloss = new byte[file.get(at + 1) & 0xff];
        file.get(at + 2 + (file.get(at) & 0xff), gloss);
        return new String(gloss, StandardCharsets.UTF_8);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
