package io.hiroba.social.media;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.i18n.Text;
import io.hiroba.platform.problem.Problem;
import java.time.Duration;

/** A problem with an upload; one with the picture itself is a {@code PictureProblem}. */
final class MediaProblem extends Problem {

    private static final long serialVersionUID = 1L;

    private MediaProblem(Kind kind, String code, Duration retryAfter, Object... arguments) {
        super(kind, "media." + code, Text.of("social.media." + code, arguments), retryAfter);
    }

    private MediaProblem(Kind kind, String code) {
        this(kind, code, Duration.ZERO);
    }

    static MediaProblem tooLarge(ByteSize limit) {
        return new MediaProblem(Kind.TOO_LARGE, "too-large", Duration.ZERO, "max", limit.bytes());
    }

    static MediaProblem noFile() {
        return new MediaProblem(Kind.INVALID, "no-file");
    }

    static MediaProblem quota(ByteSize limit) {
        return new MediaProblem(Kind.FORBIDDEN, "quota", Duration.ZERO, "max", limit.bytes());
    }

    static MediaProblem notFound() {
        return new MediaProblem(Kind.NOT_FOUND, "not-found");
    }

    static MediaProblem unavailable() {
        return new MediaProblem(Kind.UNAVAILABLE, "unavailable", Duration.ofSeconds(10));
    }
}
