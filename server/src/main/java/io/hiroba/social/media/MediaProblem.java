package io.hiroba.social.media;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;

/** A problem with an upload; one with the picture itself is a {@code PictureProblem}. */
final class MediaProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private MediaProblem(Kind kind, String code, String detail, Duration retryAfter) {
        super(kind, "media." + code, detail, retryAfter);
    }

    private MediaProblem(Kind kind, String code, String detail) {
        this(kind, code, detail, Duration.ZERO);
    }

    static MediaProblem tooLarge(ByteSize limit) {
        return new MediaProblem(
                Kind.TOO_LARGE, "too-large", "The picture is larger than %,d bytes.".formatted(limit.bytes()));
    }

    static MediaProblem noFile() {
        return new MediaProblem(
                Kind.INVALID,
                "no-file",
                "Send the picture as the part `file` of a multipart form, or as the body with an image/… content type.");
    }

    static MediaProblem quota(ByteSize limit) {
        return new MediaProblem(
                Kind.FORBIDDEN,
                "quota",
                "This picture would exceed your monthly limit of %,d bytes.".formatted(limit.bytes()));
    }

    static MediaProblem notFound() {
        return new MediaProblem(Kind.NOT_FOUND, "not-found", "There is no such picture.");
    }

    static MediaProblem unavailable() {
        return new MediaProblem(
                Kind.UNAVAILABLE,
                "unavailable",
                "Pictures cannot be stored or shown right now. Try again shortly.",
                Duration.ofSeconds(10));
    }
}
