package io.hiroba.social.media.picture;

import io.hiroba.platform.problem.Problem;
import io.hiroba.social.media.picture.DecodingPermits.Work;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Decodes uploaded pictures and encodes their renditions, a few at a time. */
public final class PictureProcessor {

    static final int MAX_SIDE = 4096;

    private static final Duration PERMIT_TIMEOUT = Duration.ofSeconds(20);
    private static final long MAX_HEAP = Runtime.getRuntime().maxMemory();

    private final Limits limits;
    private final DecodingPermits permits;

    public PictureProcessor(Limits limits) {
        this.limits = limits;
        this.permits = new DecodingPermits(limits.atOnce(), PERMIT_TIMEOUT);
    }

    /**
     * Limits of pictures.
     *
     * @param storedBytes the largest stored picture; larger ones are scaled down
     * @param atOnce the number of pictures decoded at the same time
     */
    public record Limits(int megapixels, int side, long storedBytes, int atOnce) {}

    /** The shape of the renditions. */
    public enum Shape {
        /** As it is. */
        WHOLE(MAX_SIDE),
        /** The square in its middle. */
        SQUARE(1024);

        private final int side;

        Shape(int side) {
            this.side = side;
        }
    }

    /** Waits for a permit, and reads the file only then: waiting requests hold no memory. */
    public Renditions make(String uploader, Path file, Shape shape) {
        try {
            return permits.forUser(uploader, () -> {
                var made = permits.withOne(() -> onThread(() -> make(file, shape, MAX_HEAP / 8)));
                return made.isPresent()
                        ? made.get()
                        : permits.withAll(() -> onThread(() -> make(file, shape, Long.MAX_VALUE)))
                                .orElseThrow();
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty if it would take more memory than {@code maxMemory}. */
    private Optional<Renditions> make(Path file, Shape shape, long maxMemory) throws IOException {
        var source = PictureSource.of(Files.readAllBytes(file));
        requireSize(source);
        long memory = PictureDecoder.memory(source);
        if (memory > MAX_HEAP / 2) {
            throw PictureProblem.tooManyPixelsToDecode();
        }
        return memory > maxMemory ? Optional.empty() : Optional.of(renditions(source, shape));
    }

    /**
     * Runs on a platform thread: virtual threads share one carrier for each core and do not yield while they compute, so two
     * pictures would block a small server.
     */
    private static <T> T onThread(Work<T> work) throws IOException {
        var task = new FutureTask<>(work::run);
        Thread.ofPlatform().name("picture").daemon().start(task);
        try {
            return task.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw PictureProblem.busy();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Problem refusal -> throw refusal;
                case IOException failure -> throw failure;
                case null, default -> throw new IllegalStateException("a picture could not be made", e);
            }
        }
    }

    private void requireSize(PictureSource source) {
        boolean fits = source.width() > 0
                && source.height() > 0
                && source.width() <= limits.side()
                && source.height() <= limits.side()
                && source.pixels() <= limits.megapixels() * 1_000_000L;
        if (!fits) {
            throw PictureProblem.tooManyPixels(limits.megapixels(), limits.side());
        }
    }

    private Renditions renditions(PictureSource source, Shape shape) {
        var decoded = new Pixels(PictureDecoder.decode(source));
        var whole = (shape == Shape.SQUARE ? decoded.square() : decoded)
                .within(shape.side)
                .upright(source.orientation());
        var encoding = encoding(source, whole);
        byte[] full = encoding.encode(whole);
        while (full.length > limits.storedBytes() && whole.width() + whole.height() > Renditions.MEDIUM) {
            whole = whole.within(Math.max(whole.width(), whole.height()) / 2);
            full = encoding.encode(whole);
        }
        var medium = whole.within(Renditions.MEDIUM);
        return new Renditions(
                encoding,
                whole.width(),
                whole.height(),
                full,
                encoding.encode(medium),
                encoding.encode(medium.within(Renditions.SMALL)));
    }

    /** PNG for transparent pictures, and for lossless ones if that is not larger than JPEG. */
    private static PictureFormat encoding(PictureSource source, Pixels pixels) {
        if (pixels.isTransparent()) {
            return PictureFormat.PNG;
        }
        boolean exact = source.lossless()
                && PictureFormat.PNG.encode(pixels.opaque()).length <= PictureFormat.JPG.encode(pixels).length;
        return exact ? PictureFormat.PNG : PictureFormat.JPG;
    }
}
