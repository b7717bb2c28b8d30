package io.hiroba.social.media;

import io.hiroba.platform.config.ByteSize;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An uploaded file on its way in: put into a temporary file, so that those who wait for their turn hold no memory, and
 * removed with the request.
 */
public final class Incoming implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Incoming.class);

    /** What a multipart form may have around its file. */
    private static final long FORM = 64 * 1024;

    /** How much of a file that is too large is read all the same. */
    private static final long PATIENCE = 32L << 20;

    private final Path path;
    private final long size;
    private final byte[] digest;

    private Incoming(Path path, long size, byte[] digest) {
        this.path = path;
        this.size = size;
        this.digest = digest;
    }

    /** The part {@code name} of a form, or else the body, which must claim to be an image. */
    static Incoming of(Context ctx, String name, ByteSize limit) {
        boolean form = ctx.isMultipartFormData();
        if (!form && !isImage(ctx.contentType())) {
            throw MediaProblem.noFile();
        }
        if (ctx.req().getContentLengthLong() > limit.bytes() + (form ? FORM : 0)) {
            throw refused(ctx, limit);
        }
        try (var stream = form ? part(ctx, name) : ctx.req().getInputStream()) {
            return read(stream, limit);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads what is on its way first: a browser that is cut off while it sends shows no answer. */
    private static MediaProblem refused(Context ctx, ByteSize limit) {
        try {
            ctx.req().getInputStream().skipNBytes(Math.min(ctx.req().getContentLengthLong(), PATIENCE));
        } catch (IOException e) {
            LOG.debug("The sender went away", e);
        }
        return MediaProblem.tooLarge(limit);
    }

    private static boolean isImage(@Nullable String contentType) {
        return contentType != null && contentType.regionMatches(true, 0, "image/", 0, 6);
    }

    private static InputStream part(Context ctx, String name) {
        var file = ctx.uploadedFile(name);
        if (file == null) {
            throw MediaProblem.noFile();
        }
        return file.content();
    }

    static Incoming read(InputStream stream, ByteSize limit) throws IOException {
        var path = Files.createTempFile("hiroba-upload", "");
        try {
            var hash = sha256();
            try (var out = Files.newOutputStream(path)) {
                var hashed = new DigestInputStream(stream, hash);
                var buffer = new byte[64 * 1024];
                long size = 0;
                for (int count = hashed.read(buffer); count >= 0; count = hashed.read(buffer)) {
                    size += count;
                    if (size > limit.bytes()) {
                        throw MediaProblem.tooLarge(limit);
                    }
                    out.write(buffer, 0, count);
                }
                if (size == 0) {
                    throw MediaProblem.noFile();
                }
                return new Incoming(path, size, hash.digest());
            }
        } catch (Throwable e) {
            Files.deleteIfExists(path);
            throw e;
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    Path path() {
        return path;
    }

    long size() {
        return size;
    }

    /** What tells it from other files. */
    byte[] digest() {
        return digest.clone();
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
