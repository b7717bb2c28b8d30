package io.hiroba.social.media.picture;

import io.hiroba.platform.problem.Problem;
import java.time.Duration;

/** What can be wrong with a picture. */
public final class PictureProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private PictureProblem(Kind kind, String code, String detail, Duration retryAfter) {
        super(kind, "media." + code, detail, retryAfter);
    }

    private PictureProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, Duration.ZERO);
    }

    static PictureProblem notAnImage() {
        return new PictureProblem(
                Kind.INVALID, "not-an-image", "This is no JPEG, PNG or WebP picture that can be shown.");
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
                "This server has too little memory for a picture of this kind and size: make it smaller, or a JPEG.");
    }

    static PictureProblem busy() {
        return new PictureProblem(
                Kind.UNAVAILABLE,
                "busy",
                "Too many pictures are coming in at this moment. Try again shortly.",
                Duration.ofSeconds(5));
    }
}
