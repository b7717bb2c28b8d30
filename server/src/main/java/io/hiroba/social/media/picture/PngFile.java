package io.hiroba.social.media.picture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/**
 * A PNG file as its chunks. The decoder gets those that the first frame's pixels need: compressed texts and profiles,
 * which may unpack to far more than the picture, never reach it.
 */
final class PngFile {

    private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    private static final byte[] END = {0, 0, 0, 0, 'I', 'E', 'N', 'D', (byte) 0xAE, 0x42, 0x60, (byte) 0x82};
    private static final Set<String> KEPT = Set.of("IHDR", "PLTE", "tRNS", "IDAT");

    /** Length, name and checksum. */
    private static final int AROUND = 12;

    private final byte[] file;
    private final ByteBuffer in;
    private final ByteArrayOutputStream out;
    private Orientation orientation = Orientation.UPRIGHT;
    private boolean hasPixels;

    PngFile(byte[] file) {
        this.file = file;
        this.in = ByteBuffer.wrap(file);
        this.out = new ByteArrayOutputStream(file.length);
    }

    static boolean isPng(byte[] file) {
        return file.length > SIGNATURE.length
                && Arrays.equals(SIGNATURE, 0, SIGNATURE.length, file, 0, SIGNATURE.length);
    }

    PictureSource source() {
        out.writeBytes(SIGNATURE);
        int at = SIGNATURE.length;
        while (at + AROUND <= file.length) {
            int length = in.getInt(at);
            var name = new String(file, at + 4, 4, StandardCharsets.US_ASCII);
            if (length < 0 || name.equals("IHDR") != (at == SIGNATURE.length)) {
                throw PictureProblem.notAnImage();
            }
            if (name.equals("IEND")) {
                break;
            }
            // A truncated file is decoded as far as it goes.
            int held = Math.min(length, file.length - at - AROUND);
            chunk(name, at, length, held);
            at += AROUND + held;
        }
        out.writeBytes(END);
        if (!hasPixels) {
            throw PictureProblem.notAnImage();
        }
        int depth = file[24];
        return new PictureSource(
                PictureSource.Kind.PNG,
                out.toByteArray(),
                in.getInt(16),
                in.getInt(20),
                orientation,
                true,
                depth == 16 ? 8 : 4,
                0);
    }

    private void chunk(String name, int at, int length, int held) {
        if (KEPT.contains(name)) {
            if (length != held && !name.equals("IDAT")) {
                throw PictureProblem.notAnImage();
            }
            hasPixels |= name.equals("IDAT");
            out.writeBytes(ByteBuffer.allocate(4).putInt(held).array());
            out.write(file, at + 4, held + 8);
        } else if (name.equals("eXIf")) {
            orientation = Orientation.of(ByteBuffer.wrap(file, at + 8, held));
        } else if (Character.isUpperCase(name.charAt(0))) {
            throw PictureProblem.notAnImage();
        }
    }
}
