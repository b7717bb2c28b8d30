package io.hiroba.social.media.picture;

import static io.hiroba.social.media.picture.TestPictures.colour;
import static io.hiroba.social.media.picture.TestPictures.jpeg;
import static io.hiroba.social.media.picture.TestPictures.pixels;
import static io.hiroba.social.media.picture.TestPictures.png;
import static io.hiroba.social.media.picture.TestPictures.pngChunk;
import static io.hiroba.social.media.picture.TestPictures.spliced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hiroba.platform.problem.Problem;
import io.hiroba.social.media.picture.PictureProcessor.Limits;
import io.hiroba.social.media.picture.PictureProcessor.Shape;
import java.awt.Transparency;
import java.awt.color.ColorSpace;
import java.awt.image.BufferedImage;
import java.awt.image.ComponentColorModel;
import java.awt.image.DataBuffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What becomes of files that strangers send. */
@Tag("slow")
class PictureProcessorTest {

    private static final Limits LIMITS = new Limits(50, 10_000, 10_000_000, 2);

    @TempDir
    Path folder;

    private Renditions make(byte[] file) throws IOException {
        return make(LIMITS, file, Shape.WHOLE);
    }

    private Renditions make(Limits limits, byte[] file, Shape shape) throws IOException {
        return new PictureProcessor(limits).make("someone", Files.write(folder.resolve("file"), file), shape);
    }

    private void assertRefused(byte[] file, String code) {
        assertThatThrownBy(() -> make(file))
                .isInstanceOfSatisfying(
                        Problem.class, refusal -> assertThat(refusal.code()).isEqualTo("media." + code));
    }

    @Test
    void aPictureIsKeptWithTwoThumbnailsAndNeverEnlarged() throws IOException {
        var large = make(jpeg(1000, 400));
        assertThat(large.encoding()).isEqualTo(PictureFormat.JPG);
        assertSize(large.full(), 1000, 400);
        assertSize(large.medium(), 512, 205);
        assertSize(large.small(), 128, 51);
        var little = make(jpeg(100, 300));
        assertSize(little.full(), 100, 300);
        assertSize(little.medium(), 100, 300);
        assertSize(little.small(), 43, 128);
        assertThat(large.width()).isEqualTo(1000);
        assertThat(large.height()).isEqualTo(400);
    }

    private static void assertSize(byte[] file, int width, int height) {
        var image = pixels(file);
        assertThat(image.getWidth() + "x" + image.getHeight()).isEqualTo(width + "x" + height);
        assertThat(colour(image, 0, 0)).isEqualTo("red");
        assertThat(colour(image, width - 1, height - 1)).isEqualTo("blue");
    }

    @Test
    void anAvatarIsTheSquareInTheMiddle() throws IOException {
        var wide = make(LIMITS, jpeg(1000, 400), Shape.SQUARE);
        assertSize(wide.full(), 400, 400);
        assertSize(wide.medium(), 400, 400);
        assertSize(wide.small(), 128, 128);
    }

    @Test
    void onlyTransparentPicturesAndExactOnesThatCostNoMoreStayPng() throws IOException {
        var transparent = make(TestPictures.transparentPng(60, 40));
        assertThat(transparent.encoding()).isEqualTo(PictureFormat.PNG);
        assertThat(colour(pixels(transparent.full()), 59, 20)).isEqualTo("clear");
        assertThat(colour(pixels(transparent.small()), 1, 20)).isEqualTo("red");
        assertThat(make(png(600, 400)).encoding()).as("a drawing").isEqualTo(PictureFormat.PNG);
        var photograph = new BufferedImage(300, 300, BufferedImage.TYPE_INT_RGB);
        var random = new Random(1);
        for (int i = 0; i < 90_000; i++) {
            photograph.setRGB(i % 300, i / 300, random.nextInt(0x1000000));
        }
        assertThat(make(TestPictures.encoded(photograph, "png")).encoding()).isEqualTo(PictureFormat.JPG);
    }

    @Test
    void webpOfEveryKindIsRead() throws IOException {
        for (var file : new byte[][] {
            TestPictures.LOSSY_WEBP,
            TestPictures.LOSSLESS_WEBP,
            TestPictures.ANIMATED_WEBP,
            TestPictures.TRANSPARENT_WEBP
        }) {
            var image = pixels(make(file).full());
            assertThat(image.getWidth()).isEqualTo(40);
            assertThat(image.getHeight()).isEqualTo(20);
            assertThat(colour(image, 3, 10)).isEqualTo("red");
            assertThat(colour(image, 37, 10)).isIn("blue", "clear");
        }
        assertThat(make(TestPictures.TRANSPARENT_WEBP).encoding()).isEqualTo(PictureFormat.PNG);
        assertThat(make(TestPictures.LOSSY_WEBP).encoding()).isEqualTo(PictureFormat.JPG);
    }

    @Test
    void nothingOfTheMetadataIsKept() throws IOException {
        var file = TestPictures.withExif(jpeg(80, 40), 1);
        assertThat(TestPictures.contains(file, "GPS 35.6586")).isTrue();
        for (var kept : make(file).files().values()) {
            assertThat(TestPictures.contains(kept, "GPS")).isFalse();
            assertThat(TestPictures.contains(kept, "Exif")).isFalse();
        }
        var comment = pngChunk("tEXt", "Author\0Nobody".getBytes(StandardCharsets.US_ASCII));
        for (var kept : make(spliced(png(80, 40), 33, comment)).files().values()) {
            assertThat(TestPictures.contains(kept, "Nobody")).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1,80x40,top left", "2,80x40,top right", "3,80x40,bottom right", "4,80x40,bottom left",
        "5,40x80,top left", "6,40x80,top right", "7,40x80,bottom right", "8,40x80,bottom left"
    })
    void aPictureIsTurnedUpright(int orientation, String size, String redCorner) throws IOException {
        var file = TestPictures.withRedCorner(80, 40);
        var image = pixels(make(TestPictures.withExif(file, orientation)).full());
        assertThat(image.getWidth() + "x" + image.getHeight()).isEqualTo(size);
        assertThat(redCorner(image)).isEqualTo(redCorner);
        var exif = pngChunk("eXIf", TestPictures.tiff(orientation));
        assertThat(pixels(make(spliced(png(80, 40), 33, exif)).full()).getWidth())
                .isEqualTo(image.getWidth());
    }

    private static String redCorner(BufferedImage image) {
        int right = image.getWidth() - 4;
        int bottom = image.getHeight() - 4;
        if (colour(image, 3, 3).equals("red")) {
            return "top left";
        }
        if (colour(image, right, 3).equals("red")) {
            return "top right";
        }
        return colour(image, 3, bottom).equals("red") ? "bottom left" : "bottom right";
    }

    @Test
    void pixelsAreCountedBeforeTheyAreDecoded() {
        assertRefused(TestPictures.pngBomb(60_000, 60_000), "too-many-pixels");
        assertRefused(TestPictures.pngBomb(10_001, 10), "too-many-pixels");
        assertRefused(TestPictures.pngBomb(7100, 7100), "too-many-pixels");
        assertRefused(TestPictures.pngBomb(-1, 10), "too-many-pixels");
        assertRefused(TestPictures.pngBomb(0, 10), "too-many-pixels");
        var webp = TestPictures.LOSSY_WEBP.clone();
        webp[27] = 0x3F;
        webp[29] = 0x3F;
        assertRefused(webp, "too-many-pixels");
    }

    @Test
    void theContainerOfAWebpCannotHideTheSizeOfItsFrame() {
        var file = TestPictures.TRANSPARENT_WEBP.clone();
        int frame = new String(file, StandardCharsets.ISO_8859_1).indexOf("VP8 ") + 8;
        file[frame + 7] = 0x3F;
        file[frame + 9] = 0x3F;
        assertRefused(file, "too-many-pixels");
    }

    @Test
    void framesWithinFramesWithinFramesOfAWebpAreNotFollowed() {
        var file = ByteBuffer.allocate(12 + 24 * 400_000).order(ByteOrder.LITTLE_ENDIAN);
        file.put("RIFF".getBytes(StandardCharsets.US_ASCII)).putInt(file.capacity() - 8);
        file.put("WEBP".getBytes(StandardCharsets.US_ASCII));
        while (file.hasRemaining()) {
            file.put("ANMF".getBytes(StandardCharsets.US_ASCII));
            file.putInt(file.remaining() - 4).put(new byte[16]);
        }
        assertRefused(file.array(), "not-an-image");
    }

    @Test
    void theCopiesOfAPictureAreReckonedWithToo() {
        assertThat(PictureDecoder.memory(PictureSource.of(jpeg(1000, 1000)))).isEqualTo((3 + 12) * 1_000_000L);
        assertThat(PictureDecoder.memory(PictureSource.of(TestPictures.pngBomb(10_000, 5_000))))
                .as("every second pixel of every second row")
                .isEqualTo((4 + 12) * 12_500_000L);
        assertThat(PictureDecoder.memory(PictureSource.of(TestPictures.LOSSLESS_WEBP)))
                .as("with its tables")
                .isGreaterThan((8 + 4 + 12) * 40 * 20 + 5_500);
    }

    @Test
    void aPictureMayHaveExactlyAsManyPixelsAsAllowed() throws IOException {
        var limits = new Limits(1, 2000, 10_000_000, 2);
        assertThat(make(limits, jpeg(1000, 1000), Shape.WHOLE).width()).isEqualTo(1000);
        assertThat(make(limits, jpeg(2000, 500), Shape.WHOLE).width()).isEqualTo(2000);
        assertThatThrownBy(() -> make(limits, jpeg(1001, 1000), Shape.WHOLE)).isInstanceOf(PictureProblem.class);
        assertThatThrownBy(() -> make(limits, jpeg(2001, 10), Shape.WHOLE)).isInstanceOf(PictureProblem.class);
    }

    @Test
    void aHugePictureIsReducedWhileItIsDecoded() throws IOException {
        var made = make(jpeg(8000, 2_010));
        assertThat(made.width()).isEqualTo(4000);
        assertThat(make(png(10_000, 100)).width()).isEqualTo(4096);
    }

    @Test
    void aStoredPictureIsNoLargerThanAllowed() throws IOException {
        var made = make(new Limits(50, 10_000, 300_000, 2), TestPictures.noisyPng(500, 500), Shape.WHOLE);
        assertThat(made.full()).hasSizeLessThanOrEqualTo(300_000);
        assertThat(made.width()).isEqualTo(250);
    }

    @Test
    void textThatUnpacksToGigabytesNeverReachesTheDecoder() throws IOException {
        var packed = new ByteArrayOutputStream();
        packed.writeBytes("x\0\0".getBytes(StandardCharsets.US_ASCII));
        try (var deflate = new DeflaterOutputStream(packed, new Deflater(Deflater.BEST_SPEED))) {
            var zeros = new byte[1 << 20];
            for (int i = 0; i < 1100; i++) {
                deflate.write(zeros);
            }
        }
        var palette = TestPictures.encoded(new BufferedImage(50, 50, BufferedImage.TYPE_BYTE_INDEXED), "png");
        assertThat(make(spliced(palette, 33, pngChunk("zTXt", packed.toByteArray())))
                        .width())
                .isEqualTo(50);
    }

    @Test
    void sixtyFiveScansAreRefused() {
        var file = jpeg(16, 16);
        int scan = indexOf(file, 0xDA);
        var bomb = file;
        for (int i = 0; i < 64; i++) {
            bomb = spliced(bomb, scan, Arrays.copyOfRange(file, scan, file.length - 2));
        }
        assertRefused(bomb, "not-an-image");
    }

    private static int indexOf(byte[] file, int marker) {
        for (int i = 0; i + 1 < file.length; i++) {
            if (file[i] == (byte) 0xFF && file[i + 1] == (byte) marker) {
                return i;
            }
        }
        throw new IllegalArgumentException("no such marker");
    }

    @Test
    void whatIsNoPictureIsRefused() {
        assertRefused(
                "<svg xmlns='http://www.w3.org/2000/svg'><script/></svg>".getBytes(StandardCharsets.UTF_8),
                "not-an-image");
        assertRefused("GIF89a".getBytes(StandardCharsets.US_ASCII), "not-an-image");
        assertRefused(new byte[] {1}, "not-an-image");
        assertRefused(new byte[] {(byte) 0xFF, (byte) 0xD8, (byte) 0xFF, (byte) 0xD9}, "not-an-image");
        assertRefused(Arrays.copyOf(png(9, 9), 33), "not-an-image");
        assertRefused(Arrays.copyOf(TestPictures.LOSSY_WEBP, 24), "not-an-image");
    }

    /** A damaged picture is shown or refused, but never anything else. */
    @Test
    void damageLeadsToARefusalAtWorst() throws IOException {
        var random = new Random(7);
        for (var file : new byte[][] {
            jpeg(40, 30),
            png(40, 30),
            TestPictures.LOSSY_WEBP,
            TestPictures.LOSSLESS_WEBP,
            TestPictures.TRANSPARENT_WEBP
        }) {
            for (int round = 0; round < 150; round++) {
                var damaged = file.clone();
                for (int i = 0; i <= round % 4; i++) {
                    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
                }
                try {
                    make(new Limits(1, 2000, 1_000_000, 2), damaged, Shape.WHOLE);
                } catch (PictureProblem refusal) {
                    assertThat(refusal.code()).isIn("media.not-an-image", "media.too-many-pixels");
                }
            }
        }
    }

    @Test
    void greyWithTransparencyKeepsItsTone() throws IOException {
        var colours = new ComponentColorModel(
                ColorSpace.getInstance(ColorSpace.CS_GRAY),
                true,
                false,
                Transparency.TRANSLUCENT,
                DataBuffer.TYPE_BYTE);
        var raster = colours.createCompatibleWritableRaster(20, 20);
        for (int i = 0; i < 400; i++) {
            raster.setPixel(i % 20, i / 20, new int[] {0x64, i < 20 ? 0 : 0xFF});
        }
        var grey = TestPictures.encoded(new BufferedImage(colours, raster, false, null), "png");
        assertThat(grey[25]).as("the PNG's colour type").isEqualTo((byte) 4);
        var kept = pixels(make(grey).full());
        assertThat(kept.getRGB(10, 10)).isEqualTo(0xFF646464);
        assertThat(kept.getRGB(10, 0) >>> 24).isZero();
    }
}
