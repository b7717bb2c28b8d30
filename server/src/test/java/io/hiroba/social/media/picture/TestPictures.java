package io.hiroba.social.media.picture;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Random;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/** Pictures whose left half is red and whose right half is blue, and hostile ones. */
public final class TestPictures {

    // 40 x 20 pixels each, made once with the reference encoder; of the animation, the second frame begins with green.
    public static final byte[] LOSSY_WEBP =
            decode("UklGRnIAAABXRUJQVlA4IGYAAAAQBQCdASooABQAPp0+mkgloyKhMAgAsBOJQBl6cD8g+UClAfgB"
                    + "Xf+4AAXvMGf2qMmAAP7uCmf7lzrFSH/+0s8QupZ+oG4cJglXydDqWKAcWIv+egSxuw5HYeS36jnZ6I8IvEMaAAA=");
    public static final byte[] LOSSLESS_WEBP =
            decode("UklGRigAAABXRUJQVlA4TBsAAAAvJ8AEAA8Q87//8x8OBAKEA/+1BgRE9D9K2AMA");
    /** The right half is transparent. */
    public static final byte[] TRANSPARENT_WEBP = decode(
            "UklGRpYAAABXRUJQVlA4WAoAAAAQAAAAJwAAEwAAQUxQSBQAAAABDzD/ERFCIEA48F9rQEBE/6OEPVZQOCBcAAAAkAMAnQEqKAAUAD6dPppI"
                    + "JaMioTAIALATiUAY5FK2V/gS4Ua/oAD+7gpn+Lbh3olB/+0s/+0s/+0s/z0P0F//unqA/OKJeggf2d/7eY9yYyH/3eY9wvNyZe/4"
                    + "AAA=");

    public static final byte[] ANIMATED_WEBP = decode(
            "UklGRgwBAABXRUJQVlA4WAoAAAACAAAAJwAAEwAAQU5JTQYAAAD/////AABBTk1GhAAAAAAAAAAAACcAABMAAGQAAAJWUDggbAAAAPAEAJ0B"
                    + "KigAFAA+kTqYR6WjIqEwCACwEglAGKDSD5QKUB+AFd/7gABe8wZ/aszoAAD+7qY//sWfeJZ1f/ucD70Hzw/ydfAhUXvJ5Fb+9BA95z"
                    + "Fv+Ovpx6k4MoVF/hAjnZ8YHuIwVYLi/AAAAEFOTUZUAAAAAAAAAAAAEwAAEwAAZAAAAFZQOCA8AAAAVAMAnQEqFAAUAD6RQpxKAoCA"
                    + "AAEgllAMZugH4AfgAAREJwAA/t7WP/0YLgOB76X/9jMftGf5wltigQAA");

    private TestPictures() {}

    private static byte[] decode(String base64) {
        return Base64.getDecoder().decode(base64);
    }

    public static byte[] jpeg(int width, int height) {
        return encoded(halves(width, height, BufferedImage.TYPE_INT_RGB), "jpeg");
    }

    public static byte[] png(int width, int height) {
        return encoded(halves(width, height, BufferedImage.TYPE_INT_RGB), "png");
    }

    /** A JPEG that is red in the top left quarter and blue elsewhere. */
    public static byte[] withRedCorner(int width, int height) {
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        fill(image, 0, width, Color.BLUE);
        fill(image.getSubimage(0, 0, width / 2, height / 2), 0, width / 2, Color.RED);
        return encoded(image, "jpeg");
    }

    /** The right half is transparent. */
    public static byte[] transparentPng(int width, int height) {
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
        fill(image, 0, width / 2, Color.RED);
        return encoded(image, "png");
    }

    /** Pixels no encoder can foresee. */
    public static byte[] noisyPng(int width, int height) {
        var image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB);
        var random = new Random(1);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                image.setRGB(x, y, random.nextInt());
            }
        }
        return encoded(image, "png");
    }

    public static byte[] encoded(BufferedImage image, String format) {
        var out = new ByteArrayOutputStream();
        try {
            if (!ImageIO.write(image, format, out)) {
                throw new IllegalArgumentException("no writer for " + format);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static BufferedImage halves(int width, int height, int type) {
        var image = new BufferedImage(width, height, type);
        fill(image, 0, width / 2, Color.RED);
        fill(image, width / 2, width, Color.BLUE);
        return image;
    }

    private static void fill(BufferedImage image, int from, int to, Color color) {
        var graphics = image.createGraphics();
        graphics.setColor(color);
        graphics.fillRect(from, 0, to - from, image.getHeight());
        graphics.dispose();
    }

    /** The JPEG with an Exif block of this orientation and a place on earth in it. */
    public static byte[] withExif(byte[] jpeg, int orientation) {
        var tiff = tiff(orientation);
        var segment = ByteBuffer.allocate(10 + tiff.length)
                .put((byte) 0xFF)
                .put((byte) 0xE1)
                .putShort((short) (8 + tiff.length))
                .put(ascii("Exif\0\0"))
                .put(tiff);
        return spliced(jpeg, 2, segment.array());
    }

    /** A directory with the orientation and a GPS directory that names a latitude. */
    public static byte[] tiff(int orientation) {
        return ByteBuffer.allocate(96)
                .put(ascii("MM"))
                .putShort((short) 42)
                .putInt(8)
                .putShort((short) 2)
                .put(entry(0x0112, 3, 1, orientation << 16))
                .put(entry(0x8825, 4, 1, 38))
                .putInt(0)
                .putShort((short) 1)
                .put(entry(1, 2, 16, 60))
                .putInt(0)
                .position(60)
                .put(ascii("GPS 35.6586 N ok"))
                .array();
    }

    private static byte[] entry(int tag, int type, int count, int value) {
        return ByteBuffer.allocate(12)
                .putShort((short) tag)
                .putShort((short) type)
                .putInt(count)
                .putInt(value)
                .array();
    }

    /** The JPEG with comments in it until it has exactly {@code size} bytes. */
    public static byte[] padded(byte[] jpeg, int size) {
        var out = new ByteArrayOutputStream(size);
        out.write(jpeg, 0, 2);
        int missing = size - jpeg.length;
        while (missing > 0) {
            int segment = missing > 65_537 + 4 ? 65_537 : Math.min(missing, 65_537 - 4);
            out.writeBytes(ByteBuffer.allocate(4)
                    .put((byte) 0xFF)
                    .put((byte) 0xFE)
                    .putShort((short) (segment - 2))
                    .array());
            out.writeBytes(new byte[segment - 4]);
            missing -= segment;
        }
        out.write(jpeg, 2, jpeg.length - 2);
        return out.toByteArray();
    }

    /** The file with {@code piece} before the byte at {@code index}. */
    public static byte[] spliced(byte[] file, int index, byte[] piece) {
        var out = new ByteArrayOutputStream();
        out.write(file, 0, index);
        out.writeBytes(piece);
        out.write(file, index, file.length - index);
        return out.toByteArray();
    }

    public static byte[] pngChunk(String name, byte[] content) {
        var checksum = new CRC32();
        checksum.update(ascii(name));
        checksum.update(content);
        return ByteBuffer.allocate(12 + content.length)
                .putInt(content.length)
                .put(ascii(name))
                .put(content)
                .putInt((int) checksum.getValue())
                .array();
    }

    /** A PNG that claims a size and has next to no pixels. */
    public static byte[] pngBomb(int width, int height) {
        var file = png(8, 8).clone();
        ByteBuffer.wrap(file).putInt(16, width).putInt(20, height);
        return file;
    }

    public static BufferedImage pixels(byte[] file) {
        try {
            @Nullable BufferedImage image = ImageIO.read(new ByteArrayInputStream(file));
            if (image == null) {
                throw new IllegalArgumentException("no picture");
            }
            return image;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a pixel looks like: {@code red}, {@code blue}, {@code clear} or something else. */
    public static String colour(BufferedImage image, int x, int y) {
        var pixel = new Color(image.getRGB(x, y), true);
        if (pixel.getAlpha() < 20) {
            return "clear";
        }
        if (pixel.getRed() > 180 && pixel.getGreen() < 80 && pixel.getBlue() < 80) {
            return "red";
        }
        return pixel.getBlue() > 180 && pixel.getGreen() < 80 && pixel.getRed() < 80 ? "blue" : pixel.toString();
    }

    public static boolean contains(byte[] file, String text) {
        var wanted = ascii(text);
        for (int i = 0; i + wanted.length <= file.length; i++) {
            if (Arrays.equals(wanted, 0, wanted.length, file, i, i + wanted.length)) {
                return true;
            }
        }
        return false;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
