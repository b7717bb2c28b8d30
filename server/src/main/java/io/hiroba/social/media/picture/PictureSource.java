package io.hiroba.social.media.picture;

import java.nio.BufferUnderflowException;

/**
 * An uploaded picture, parsed but not decoded.
 *
 * @param file reduced to one frame without metadata
 * @param lossless whether its compression is lossless
 * @param bytesPerPixel the memory of a decoded pixel
 * @param workingBytes the memory of the decoder besides the decoded pixels
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

    /** Detects the format by content. */
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
