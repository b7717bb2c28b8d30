package io.hiroba.social.media.picture;

import java.awt.geom.AffineTransform;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The Exif orientation of a picture: the transformation that turns its pixels upright. */
enum Orientation {
    UPRIGHT,
    MIRRORED,
    UPSIDE_DOWN,
    UPSIDE_DOWN_MIRRORED,
    LEFT_MIRRORED,
    LEFT,
    RIGHT_MIRRORED,
    RIGHT;

    private static final int TAG = 0x0112;
    private static final int TIFF = 42;
    private static final int ENTRY = 12;

    /** Reads the TIFF structure of an Exif block; one that cannot be read says nothing. */
    static Orientation of(ByteBuffer exif) {
        try {
            var tiff = exif.slice();
            tiff.order(tiff.getShort(0) == 0x4949 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
            if (tiff.getShort(2) != TIFF) {
                return UPRIGHT;
            }
            int directory = tiff.getInt(4);
            int entries = Short.toUnsignedInt(tiff.getShort(directory));
            for (int i = 0; i < entries; i++) {
                int entry = directory + 2 + i * ENTRY;
                if (Short.toUnsignedInt(tiff.getShort(entry)) == TAG) {
                    return of(tiff.getShort(entry + 8));
                }
            }
        } catch (IndexOutOfBoundsException | BufferUnderflowException e) {
            return UPRIGHT;
        }
        return UPRIGHT;
    }

    private static Orientation of(int value) {
        return value >= 1 && value <= values().length ? values()[value - 1] : UPRIGHT;
    }

    /** Whether width and height change places. */
    boolean swaps() {
        return switch (this) {
            case UPRIGHT, MIRRORED, UPSIDE_DOWN, UPSIDE_DOWN_MIRRORED -> false;
            case LEFT_MIRRORED, LEFT, RIGHT_MIRRORED, RIGHT -> true;
        };
    }

    /** What turns a picture of this size upright. */
    AffineTransform upright(int width, int height) {
        return switch (this) {
            case UPRIGHT -> new AffineTransform();
            case MIRRORED -> new AffineTransform(-1, 0, 0, 1, width, 0);
            case UPSIDE_DOWN -> new AffineTransform(-1, 0, 0, -1, width, height);
            case UPSIDE_DOWN_MIRRORED -> new AffineTransform(1, 0, 0, -1, 0, height);
            case LEFT_MIRRORED -> new AffineTransform(0, 1, 1, 0, 0, 0);
            case LEFT -> new AffineTransform(0, 1, -1, 0, height, 0);
            case RIGHT_MIRRORED -> new AffineTransform(0, -1, -1, 0, height, width);
            case RIGHT -> new AffineTransform(0, -1, 1, 0, 0, width);
        };
    }
}
