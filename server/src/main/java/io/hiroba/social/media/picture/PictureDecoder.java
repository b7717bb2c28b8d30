package io.hiroba.social.media.picture;

import com.twelvemonkeys.imageio.plugins.webp.WebPImageReaderSpi;
import java.awt.image.BufferedImage;
import java.io.IOException;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decodes a picture into pixels, of huge ones only every second or third, so that memory stays bounded. */
final class PictureDecoder {

    private static final Logger LOG = LoggerFactory.getLogger(PictureDecoder.class);
    private static final long MAX_PIXELS = 16_000_000;
    private static final long SPARE = 64L << 20;

    /** Beside a decoded pixel: one made smaller, one turned upright and one without transparency, or its encoding. */
    private static final long COPIES = 12;

    private static final long MAX_COPIED = (long) PictureProcessor.MAX_SIDE * PictureProcessor.MAX_SIDE;

    private PictureDecoder() {}

    /** The subsampling factor. */
    static int step(PictureSource source) {
        // The WebP decoder's memory goes with the whole frame anyway.
        int step = 1;
        while (source.kind() != PictureSource.Kind.WEBP && source.pixels() / ((long) step * step) > MAX_PIXELS) {
            step++;
        }
        return step;
    }

    /** The peak memory of a picture until it is stored. */
    static long memory(PictureSource source) {
        return decoding(source) + COPIES * Math.min(decodedPixels(source), MAX_COPIED);
    }

    private static long decoding(PictureSource source) {
        return source.workingBytes() + decodedPixels(source) * source.bytesPerPixel();
    }

    private static long decodedPixels(PictureSource source) {
        long step = step(source);
        return source.pixels() / (step * step);
    }

    /** The bytes that a decoder may allocate in total; the one for lossy WebP produces much garbage. */
    private static long allocation(PictureSource source) {
        boolean lavish = source.kind() == PictureSource.Kind.WEBP && !source.lossless();
        return SPARE + (lavish ? 8 : 2) * decoding(source);
    }

    static BufferedImage decode(PictureSource source) {
        ImageReader reader = null;
        try (var stream = new BoundedStream(source.file(), allocation(source))) {
            reader = reader(source.kind());
            reader.setInput(stream, true, true);
            var parameters = reader.getDefaultReadParam();
            int step = step(source);
            parameters.setSourceSubsampling(step, step, 0, 0);
            var decoded = reader.read(0, parameters);
            if (decoded.getWidth() != (source.width() + step - 1) / step
                    || decoded.getHeight() != (source.height() + step - 1) / step) {
                throw PictureProblem.notAnImage();
            }
            return plainGrey(decoded);
        } catch (PictureProblem e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // Decoders throw all kinds of exceptions on hostile files.
            LOG.debug("A picture could not be decoded", e);
            throw PictureProblem.notAnImage();
        } catch (OutOfMemoryError e) {
            LOG.warn("A picture of {} x {} took more memory than expected", source.width(), source.height());
            throw PictureProblem.tooManyPixelsToDecode();
        } finally {
            if (reader != null) {
                reader.dispose();
            }
        }
    }

    private static ImageReader reader(PictureSource.Kind kind) throws IOException {
        return switch (kind) {
            case JPEG -> ImageIO.getImageReadersByFormatName("jpeg").next();
            case PNG -> ImageIO.getImageReadersByFormatName("png").next();
            case WEBP -> new WebPImageReaderSpi().createReaderInstance(null);
        };
    }

    /** Java treats grey with alpha as linear light and would render it too bright. */
    private static BufferedImage plainGrey(BufferedImage image) {
        var raster = image.getRaster();
        if (raster.getNumBands() != 2) {
            return image;
        }
        int shift = Math.max(0, raster.getSampleModel().getSampleSize(0) - 8);
        var plain = new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_INT_ARGB);
        var pixel = new int[2];
        for (int y = 0; y < image.getHeight(); y++) {
            for (int x = 0; x < image.getWidth(); x++) {
                raster.getPixel(x, y, pixel);
                plain.setRGB(x, y, (pixel[1] >> shift) << 24 | (pixel[0] >> shift) * 0x010101);
            }
        }
        return plain;
    }
}
