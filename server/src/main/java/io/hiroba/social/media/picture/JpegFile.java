package io.hiroba.social.media.picture;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A JPEG file as its segments. Tables, frame and scans are passed to the decoder; application segments are dropped. */
final class JpegFile {

    /** Each scan of a progressive picture passes over all of it; encoders make about ten. */
    private static final int MAX_SCANS = 64;

    private static final int APP0 = 0xE0;
    private static final int APP1 = 0xE1;
    private static final int APP14 = 0xEE;
    private static final int SOI = 0xD8;
    private static final int EOI = 0xD9;
    private static final int SOS = 0xDA;
    private static final int DHT = 0xC4;
    private static final int DQT = 0xDB;
    private static final int DRI = 0xDD;
    private static final int PROGRESSIVE = 0xC2;
    private static final byte[] JFIF = {
        (byte) 0xFF, (byte) 0xE0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0
    };

    private final byte[] file;
    private final ByteBuffer in;
    private final ByteArrayOutputStream out;
    private Orientation orientation = Orientation.UPRIGHT;
    private boolean jfif;
    private boolean progressive;
    private int width;
    private int height;
    private int components;
    private int scans;

    JpegFile(byte[] file) {
        this.file = file;
        this.in = ByteBuffer.wrap(file, 2, file.length - 2);
        this.out = new ByteArrayOutputStream(file.length);
    }

    static boolean isJpeg(byte[] file) {
        return file.length > 3 && file[0] == (byte) 0xFF && file[1] == (byte) SOI && file[2] == (byte) 0xFF;
    }

    PictureSource source() {
        out.write(0xFF);
        out.write(SOI);
        while (in.hasRemaining()) {
            int marker = nextMarker();
            if (marker == EOI) {
                break;
            }
            segment(marker);
        }
        out.write(0xFF);
        out.write(EOI);
        if (scans == 0) {
            throw PictureProblem.notAnImage();
        }
        // The decoder keeps all coefficients of a progressive picture until the last scan.
        long working = progressive ? 2L * components * width * height : 0;
        return new PictureSource(
                PictureSource.Kind.JPEG, out.toByteArray(), width, height, orientation, false, components, working);
    }

    /** Skips bytes before a marker, as decoders do; the end of the file counts as EOI. */
    private int nextMarker() {
        while (in.hasRemaining()) {
            if (in.get() == (byte) 0xFF) {
                int code = 0xFF;
                while (code == 0xFF && in.hasRemaining()) {
                    code = Byte.toUnsignedInt(in.get());
                }
                if (code > 0x01 && code != 0xFF && (code < 0xD0 || code > SOI)) {
                    return code;
                }
            }
        }
        return EOI;
    }

    private void segment(int marker) {
        int start = in.position();
        int length = Short.toUnsignedInt(in.getShort());
        if (length < 2) {
            throw PictureProblem.notAnImage();
        }
        in.position(start + length);
        switch (marker) {
            case DHT, DQT, DRI -> copy(marker, start, length);
            case APP0 -> canonicalJfif(start, length);
            case APP1 -> exif(start, length);
            case APP14 -> {
                if (begins(start, length, "Adobe")) {
                    copy(marker, start, length);
                }
            }
            case SOS -> scan(start, length);
            case 0xC0, 0xC1, PROGRESSIVE -> frame(marker, start, length);
            case 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF -> throw PictureProblem.notAnImage();
            default -> {
                // Comments, thumbnails and maker notes are dropped.
            }
        }
    }

    /** Writes a JFIF segment, which declares YCbCr, without the thumbnail of the original. */
    private void canonicalJfif(int start, int length) {
        if (!jfif && width == 0 && begins(start, length, "JFIF")) {
            jfif = true;
            out.write(JFIF, 0, JFIF.length);
        }
    }

    private void exif(int start, int length) {
        if (begins(start, length, "Exif")) {
            orientation = Orientation.of(ByteBuffer.wrap(file, start + 8, length - 8));
        }
    }

    private void frame(int marker, int start, int length) {
        if (width != 0 || file[start + 2] != 8) {
            throw PictureProblem.notAnImage();
        }
        height = Short.toUnsignedInt(in.getShort(start + 3));
        width = Short.toUnsignedInt(in.getShort(start + 5));
        components = file[start + 7];
        progressive = marker == PROGRESSIVE;
        if (width == 0 || height == 0 || (components != 1 && components != 3)) {
            throw PictureProblem.notAnImage();
        }
        copy(marker, start, length);
    }

    private void scan(int start, int length) {
        if (width == 0 || ++scans > MAX_SCANS) {
            throw PictureProblem.notAnImage();
        }
        copy(SOS, start, length);
        int end = in.position();
        while (end < file.length && !isMarker(end)) {
            end++;
        }
        out.write(file, in.position(), end - in.position());
        in.position(end);
    }

    /** Within a scan a 0xFF is followed by 0 where it is data, and restarts belong to the data. */
    private boolean isMarker(int index) {
        if (file[index] != (byte) 0xFF || index + 1 >= file.length) {
            return false;
        }
        int code = Byte.toUnsignedInt(file[index + 1]);
        return code != 0 && code != 0xFF && (code < 0xD0 || code > 0xD7);
    }

    private boolean begins(int start, int length, String name) {
        var text = name.getBytes(StandardCharsets.US_ASCII);
        int from = start + 2;
        return length >= 2 + text.length + 1
                && Arrays.equals(text, 0, text.length, file, from, from + text.length)
                && (name.equals("Adobe") || file[from + text.length] == 0);
    }

    private void copy(int marker, int start, int length) {
        out.write(0xFF);
        out.write(marker);
        out.write(file, start, length);
    }
}
