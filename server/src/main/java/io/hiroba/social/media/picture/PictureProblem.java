package io.hiroba.social.media.picture;

import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;

/** A problem with a picture. */
final class PictureProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private PictureProblem(Kind kind, String code, Text detail, Duration retryAfter) {
        super(kind, "media." + code, detail, retryAfter);
    }

    static PictureProblem notAnImage() {
        return new PictureProblem(Kind.INVALID, "not-an-image", Text.of("social.media.not-an-image"), Duration.ZERO);
    }

    static PictureProblem tooManyPixels(int megapixels, int side) {
        return new PictureProblem(
                Kind.INVALID,
                "too-many-pixels",
                Text.of("social.media.too-many-pixels", "megapixels", megapixels, "side", side),
                Duration.ZERO);
    }

    static PictureProblem tooManyPixelsToDecode() {
        return new PictureProblem(
                Kind.INVALID, "too-many-pixels", Text.of("social.media.too-many-pixels-to-decode"), Duration.ZERO);
    }

    static PictureProblem busy() {
        return new PictureProblem(Kind.UNAVAILABLE, "busy", Text.of("social.media.busy"), Duration.ofSeconds(5));
    }
}
