package io.hiroba.social.media.picture;

import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.Arrays;

/** The pixels of a decoded picture, which can be scaled, cropped and rotated. */
record Pixels(BufferedImage image) {

    int width() {
        return image.getWidth();
    }

    int height() {
        return image.getHeight();
    }

    /** The square in the middle. */
    Pixels square() {
        int side = Math.min(width(), height());
        return new Pixels(image.getSubimage((width() - side) / 2, (height() - side) / 2, side, side));
    }

    /** With {@code side} as the longer side; never larger than it is. The pixels are copied in any case. */
    Pixels within(int side) {
        double factor = Math.min(1, side / (double) Math.max(width(), height()));
        int toWidth = Math.max(1, (int) Math.round(width() * factor));
        int toHeight = Math.max(1, (int) Math.round(height() * factor));
        var smaller = image;
        // A step to less than half would skip pixels instead of averaging them.
        while (smaller.getWidth() > 2 * toWidth && smaller.getHeight() > 2 * toHeight) {
            smaller = scaled(smaller, (smaller.getWidth() + 1) / 2, (smaller.getHeight() + 1) / 2);
        }
        return new Pixels(scaled(smaller, toWidth, toHeight));
    }

    Pixels upright(Orientation orientation) {
        if (orientation == Orientation.UPRIGHT) {
            return this;
        }
        var turned = orientation.swaps() ? blank(image, height(), width()) : blank(image, width(), height());
        var graphics = turned.createGraphics();
        graphics.drawImage(image, orientation.upright(width(), height()), null);
        graphics.dispose();
        return new Pixels(turned);
    }

    boolean isTransparent() {
        if (!image.getColorModel().hasAlpha()) {
            return false;
        }
        var row = new int[width()];
        for (int y = 0; y < height(); y++) {
            image.getRGB(0, y, width(), 1, row, 0, width());
            if (Arrays.stream(row).anyMatch(pixel -> pixel >>> 24 != 0xFF)) {
                return true;
            }
        }
        return false;
    }

    /** Without an alpha channel, which JPEG does not support. */
    Pixels opaque() {
        if (!image.getColorModel().hasAlpha()) {
            return this;
        }
        var opaque = new BufferedImage(width(), height(), BufferedImage.TYPE_INT_RGB);
        draw(image, opaque);
        return new Pixels(opaque);
    }

    private static BufferedImage scaled(BufferedImage from, int width, int height) {
        var to = blank(from, width, height);
        draw(from, to);
        return to;
    }

    private static BufferedImage blank(BufferedImage like, int width, int height) {
        boolean alpha = like.getColorModel().hasAlpha();
        return new BufferedImage(width, height, alpha ? BufferedImage.TYPE_INT_ARGB : BufferedImage.TYPE_INT_RGB);
    }

    private static void draw(BufferedImage from, BufferedImage to) {
        Graphics2D graphics = to.createGraphics();
        graphics.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BILINEAR);
        graphics.drawImage(from, 0, 0, to.getWidth(), to.getHeight(), null);
        graphics.dispose();
    }
}
