package io.hiroba.social.media.picture;

import java.nio.BufferUnderflowException;

/**
 * An uploaded picture, parsed but not decoded.
 *
 * @param file only what its pixels need: no metadata, one frame
 * @param lossless whether its pixels were never approximated, as in a screenshot or a drawing
 * @param bytesPerPixel what a decoded pixel takes
 * @param workingBytes what the decoder takes beside the decoded pixels
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PictureSource(
        Kind kind,
        byte[] file,
        int width,
        int height,
        Orientation orientation,
        boolean lossless,
        int bytesPerPixel,
        long workingBytes) {

    /** A format that is accepted. */
    enum Kind {
        JPEG,
        PNG,
        WEBP
    }

    /** Tells by the content alone what a file is. */
    static PictureSource of(byte[] file) {
        try {
            if (JpegFile.isJpeg(file)) {
                return new JpegFile(file).source();
            }
            if (PngFile.isPng(file)) {
                return new PngFile(file).source();
            }
            if (WebpFile.isWebp(file)) {
                return new WebpFile(file).source();
            }
        } catch (BufferUnderflowException | IndexOutOfBoundsException | IllegalArgumentException e) {
            throw PictureProblem.notAnImage();
        }
        throw PictureProblem.notAnImage();
    }

    PictureSource withMoreWork(long bytes) {
        return new PictureSource(kind, file, width, height, orientation, lossless, bytesPerPixel, workingBytes + bytes);
    }

    long pixels() {
        return (long) width * height;
    }
}
