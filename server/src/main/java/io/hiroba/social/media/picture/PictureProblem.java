package io.hiroba.social.media.picture;

import io.hiroba.platform.problem.Problem;
import java.time.Duration;

/** A problem with a picture. */
final class PictureProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private PictureProblem(Kind kind, String code, String detail, Duration retryAfter) {
        super(kind, "media." + code, detail, retryAfter);
    }

    private PictureProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, Duration.ZERO);
    }

    static PictureProblem notAnImage() {
        return new PictureProblem(Kind.INVALID, "not-an-image", "This is not a valid JPEG, PNG or WebP picture.");
    }

    static PictureProblem tooManyPixels(int megapixels, int side) {
        return new PictureProblem(
                Kind.INVALID,
                "too-many-pixels",
                "A picture may have at most %d megapixels, and %,d pixels a side.".formatted(megapixels, side));
    }

    static PictureProblem tooManyPixelsToDecode() {
        return new PictureProblem(
                Kind.INVALID,
                "too-many-pixels",
                "This server has too little memory for this picture. Make it smaller, or save it as a JPEG.");
    }

    static PictureProblem busy() {
        return new PictureProblem(
                Kind.UNAVAILABLE,
                "busy",
                "Too many pictures are being uploaded. Try again shortly.",
                Duration.ofSeconds(5));
    }
}
