package io.hiroba.platform.http;

import io.hiroba.platform.config.ByteSize;
import io.hiroba.platform.problem.Problem;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.io.EofException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a request's body within its limits. */
public final class Body {

    private static final Logger LOG = LoggerFactory.getLogger(Body.class);
    private static final int MAX_DISCARDED = 32 << 20;
    private static final Pattern JSON_TYPE = Pattern.compile("(?i)application/(.+\\+)?json\\b.*");

    private Body() {}

    /** Parses the body, JSON in UTF-8, as a {@code T}; an invalid field is a problem that names it. */
    public static <T> T json(Context ctx, Class<T> type) {
        requireJson(ctx);
        return Json.read(text(ctx.bodyAsBytes()), type);
    }

    /** As {@link #json}, for a body that was read already, with exact decimal numbers. */
    public static <T> T exactJson(Context ctx, byte[] body, Class<T> type) {
        requireJson(ctx);
        return Json.readExact(text(body), type);
    }

    private static void requireJson(Context ctx) {
        var contentType = ctx.contentType();
        if (contentType != null && !JSON_TYPE.matcher(contentType).matches()) {
            throw HttpProblem.unsupportedMediaType("application/json");
        }
    }

    /** The body as text, which must be in UTF-8. */
    public static String text(Context ctx) {
        return text(ctx.bodyAsBytes());
    }

    /** The raw body, for routes with a limit of their own. */
    public static byte[] bytes(Context ctx, ByteSize limit) {
        if (ctx.req().getContentLengthLong() > limit.bytes()) {
            throw HttpProblem.tooLarge();
        }
        try {
            var bytes = ctx.req().getInputStream().readNBytes(limit.toInt());
            if (ctx.req().getInputStream().read() >= 0) {
                throw HttpProblem.tooLarge();
            }
            return bytes;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads the rest of a refused request, within bounds: Jetty closes a connection with unread input, and then most clients
     * never read the refusal.
     */
    static void discard(Context ctx) {
        var buffer = new byte[8192];
        try {
            var rest = ctx.req().getInputStream();
            int left = MAX_DISCARDED;
            for (int read = 0; read >= 0 && left > 0; left -= read) {
                read = rest.read(buffer);
            }
        } catch (IOException | IllegalStateException | HttpException.RuntimeException e) {
            LOG.debug("The caller went away, or a form was read already: {}", e.toString());
        }
    }

    /** The problem of a request whose body cannot be read: cut off, badly chunked, or a form that is none. */
    static Optional<Problem> fault(Throwable failure) {
        for (var cause = failure; cause != null; cause = cause.getCause()) {
            switch (cause) {
                case HttpException http
                when http.getCode() == 413 -> {
                    return Optional.of(HttpProblem.tooLarge());
                }
                case HttpException http
                when http.getCode() < 500 -> {
                    return Optional.of(HttpProblem.malformedBody());
                }
                case EofException e -> {
                    return Optional.of(HttpProblem.malformedBody());
                }
                case UnsupportedCharsetException e -> {
                    return Optional.of(HttpProblem.malformedBody());
                }
                case IllegalCharsetNameException e -> {
                    return Optional.of(HttpProblem.malformedBody());
                }
                default -> {}
            }
        }
        return Optional.empty();
    }

    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw HttpProblem.badText();
        }
    }
}
