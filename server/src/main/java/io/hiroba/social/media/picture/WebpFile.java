package io.hiroba.social.media.picture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A WebP file as its chunks. The decoder gets a file of the first frame alone, whose size is that of the frame: the
 * size that the container claims may be another one.
 */
final class WebpFile {

    private static final int HEADER = 12;
    private static final int CHUNK = 8;
    private static final int FRAME = 16;
    private static final int ALPHA = 0x10;
    private static final int VP8_START = 0x2A019D;
    private static final int VP8L_START = 0x2F;

    /** The decoder keeps all blocks of a lossy frame as objects: measured at 24 bytes a pixel. */
    private static final int LOSSY_WORK = 26;

    private static final int LOSSLESS_WORK = 8;

    /** Groups of tables that a lossless chunk may have, and what each takes in memory. */
    private static final long MAX_TABLES = 65_536;

    private static final long TABLES = 5_500;

    /**
     * The expected number of groups of tables of a lossless picture. The reference encoder writes 2,600 at most; a decoder
     * that needs many more for a hostile file is stopped.
     */
    private static final long LIKELY_TABLES = 4_096;

    private final byte[] file;
    private final ByteBuffer in;
    private Orientation orientation = Orientation.UPRIGHT;
    private @Nullable Chunk frame;
    private @Nullable Chunk alpha;

    WebpFile(byte[] file) {
        this.file = file;
        this.in = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    }

    static boolean isWebp(byte[] file) {
        return file.length > HEADER + CHUNK
                && name(file, 0).equals("RIFF")
                && name(file, 8).equals("WEBP");
    }

    PictureSource source() {
        read(HEADER, file.length, true);
        var pixels = frame;
        if (pixels == null) {
            throw PictureProblem.notAnImage();
        }
        return pixels.name().equals("VP8L") ? lossless(pixels) : lossy(pixels, alpha);
    }

    /** Frames are read at the top level only: nested frames of a hostile file would overflow the stack. */
    private void read(int from, int end, boolean top) {
        for (int at = from; at + CHUNK <= end; ) {
            var chunk = new Chunk(name(file, at), at + CHUNK, in.getInt(at + 4));
            if (chunk.length() < 0) {
                throw PictureProblem.notAnImage();
            }
            // A truncated frame is decoded as far as it goes.
            chunk = new Chunk(chunk.name(), chunk.start(), Math.min(chunk.length(), end - chunk.start()));
            take(chunk, top);
            at = chunk.end() + (chunk.length() & 1);
        }
    }

    private void take(Chunk chunk, boolean top) {
        switch (chunk.name()) {
            case "VP8 ", "VP8L" -> frame = frame == null ? chunk : frame;
            case "ALPH" -> alpha = frame == null && alpha == null ? chunk : alpha;
            case "ANMF" -> {
                if (top && frame == null && chunk.length() > FRAME) {
                    read(chunk.start() + FRAME, chunk.end(), false);
                }
            }
            case "EXIF" -> orientation = exif(chunk);
            default -> {
                // Profiles, metadata and further frames are dropped.
            }
        }
    }

    /** Some programs write the block with the prefix that it has in a JPEG. */
    private Orientation exif(Chunk chunk) {
        int skipped = chunk.length() > 6 && name(file, chunk.start()).equals("Exif") ? 6 : 0;
        return Orientation.of(ByteBuffer.wrap(file, chunk.start() + skipped, chunk.length() - skipped));
    }

    private PictureSource lossless(Chunk chunk) {
        if (file[chunk.start()] != VP8L_START) {
            throw PictureProblem.notAnImage();
        }
        int bits = in.getInt(chunk.start() + 1);
        int width = (bits & 0x3FFF) + 1;
        int height = ((bits >>> 14) & 0x3FFF) + 1;
        return source(still(new byte[0], chunk), width, height, true, LOSSLESS_WORK)
                .withMoreWork(tables(chunk, LIKELY_TABLES));
    }

    private PictureSource lossy(Chunk chunk, @Nullable Chunk mask) {
        int start = chunk.start();
        boolean isKeyFrame = (file[start] & 1) == 0;
        int width = in.getShort(start + 6) & 0x3FFF;
        int height = in.getShort(start + 8) & 0x3FFF;
        if (!isKeyFrame || (in.getInt(start + 3) & 0xFFFFFF) != VP8_START || width == 0 || height == 0) {
            throw PictureProblem.notAnImage();
        }
        if (mask == null) {
            return source(still(new byte[0], chunk), width, height, false, LOSSY_WORK);
        }
        var canvas = extended(width - 1, height - 1);
        var transparent = source(still(canvas, mask, chunk), width, height, false, LOSSY_WORK + LOSSLESS_WORK);
        return transparent.withMoreWork(tables(mask, MAX_TABLES));
    }

    /** What the tables of a lossless chunk can take: a group of them takes at least 20 bits in the file. */
    private static long tables(Chunk chunk, long most) {
        return Math.min(most, chunk.length() * 8L / 20) * TABLES;
    }

    private PictureSource source(byte[] still, int width, int height, boolean lossless, int work) {
        return new PictureSource(
                PictureSource.Kind.WEBP, still, width, height, orientation, lossless, 4, (long) work * width * height);
    }

    /** The chunk that announces transparency; sides are stored less one, in three bytes each. */
    private static byte[] extended(int right, int bottom) {
        return littleEndian(CHUNK + 10)
                .put(ascii("VP8X"))
                .putInt(10)
                .putInt(ALPHA)
                .putShort((short) right)
                .put((byte) (right >>> 16))
                .putShort((short) bottom)
                .put((byte) (bottom >>> 16))
                .array();
    }

    private byte[] still(byte[] lead, Chunk... chunks) {
        var body = new ByteArrayOutputStream(file.length);
        body.writeBytes(ascii("WEBP"));
        body.writeBytes(lead);
        for (var chunk : chunks) {
            body.writeBytes(ascii(chunk.name()));
            body.writeBytes(littleEndian(4).putInt(chunk.length()).array());
            body.write(file, chunk.start(), chunk.length());
            if ((chunk.length() & 1) == 1) {
                body.write(0);
            }
        }
        return littleEndian(CHUNK + body.size())
                .put(ascii("RIFF"))
                .putInt(body.size())
                .put(body.toByteArray())
                .array();
    }

    private static ByteBuffer littleEndian(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] ascii(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    private static String name(byte[] file, int at) {
        return new String(file, at, 4, StandardCharsets.US_ASCII);
    }

    private record Chunk(String name, int start, int length) {

        int end() {
            return start + length;
        }
    }
}
