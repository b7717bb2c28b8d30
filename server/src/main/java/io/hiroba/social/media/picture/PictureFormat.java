package io.hiroba.social.media.picture;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.MemoryCacheImageOutputStream;

/** A format that pictures are stored in. */
public enum PictureFormat {
    JPG("image/jpeg"),
    PNG("image/png");

    private static final float QUALITY = 0.88f;

    private final String contentType;

    PictureFormat(String contentType) {
        this.contentType = contentType;
    }

    public String contentType() {
        return contentType;
    }

    /** How file names end and the database calls it. */
    public String extension() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static PictureFormat of(String extension) {
        return valueOf(extension.toUpperCase(Locale.ROOT));
    }

    byte[] encode(Pixels pixels) {
        var writer = ImageIO.getImageWritersByFormatName(this == JPG ? "jpeg" : "png")
                .next();
        var bytes = new ByteArrayOutputStream();
        try (var stream = new MemoryCacheImageOutputStream(bytes)) {
            writer.setOutput(stream);
            var image = this == JPG ? pixels.opaque().image() : pixels.image();
            writer.write(null, new IIOImage(image, null, null), parameters(writer));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            writer.dispose();
        }
        return bytes.toByteArray();
    }

    private ImageWriteParam parameters(ImageWriter writer) {
        var parameters = writer.getDefaultWriteParam();
        if (this == JPG) {
            parameters.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
            parameters.setCompressionQuality(QUALITY);
        }
        return parameters;
    }
}
